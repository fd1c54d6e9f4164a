from __future__ import annotations

import logging
import pickle
import ssl
import traceback
from pathlib import Path

import pytest
import trustme
from odd_server import answering, no_server, odd_server

from countersign import AsyncCountersignClient, CountersignClient, CountersignError, PlainHttpError, UnreachableError
from countersign._transport import from_environment


@pytest.mark.parametrize("host", ["countersign.example", "10.0.0.7", "127.0.0.1.example.com", "localhost.example.com"])
def test_a_token_does_not_travel_in_the_clear(host: str) -> None:
    with pytest.raises(PlainHttpError, match="in the clear") as error:
        CountersignClient(f"http://{host}", "cs_token")
    assert error.value.code == "connection.plain_http"
    CountersignClient(f"http://{host}", "cs_token", allow_plain_http=True).close()


def test_the_environment_says_whether_the_way_is_private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERSIGN_URL", "http://10.0.0.7")
    monkeypatch.setenv("COUNTERSIGN_TOKEN", "cs_token")
    with pytest.raises(PlainHttpError):
        CountersignClient.from_environment()
    monkeypatch.setenv("COUNTERSIGN_ALLOW_PLAIN_HTTP", "1")
    CountersignClient.from_environment().close()


def test_an_empty_setting_is_not_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("cs_token\n")
    monkeypatch.setenv("COUNTERSIGN_URL", "")
    monkeypatch.setenv("COUNTERSIGN_TOKEN", "")
    monkeypatch.setenv("COUNTERSIGN_TOKEN_FILE", str(file))
    assert from_environment() == ("http://127.0.0.1:8420", "cs_token", False)
    monkeypatch.setenv("COUNTERSIGN_TOKEN_FILE", "")
    with pytest.raises(ValueError, match="set COUNTERSIGN_TOKEN"):
        from_environment()


@pytest.mark.parametrize("host", ["localhost:8420", "127.0.0.1", "[::1]:8420"])
def test_this_machine_is_near_enough(host: str) -> None:
    CountersignClient(f"http://{host}", "cs_token").close()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("https://cs_secret@countersign.example", "holds a credential"),
        ("https://me:cs_secret@countersign.example", "holds a credential"),
        ("https://countersign.example?token=cs_secret", "no http"),
        ("ftp://countersign.example", "no http"),
        ("countersign.example", "no http"),
    ],
)
def test_an_address_holds_no_credential(address: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        CountersignClient(address, "cs_token")
    assert "cs_secret" not in str(error.value)


def test_a_bad_token_is_not_shown() -> None:
    with pytest.raises(ValueError) as error:
        CountersignClient("https://countersign.example", "cs_secret\nx")
    assert "cs_secret" not in str(error.value)


def test_the_certificate_is_checked(token: str, tmp_path: Path) -> None:
    authority = trustme.CA()
    certificates = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(certificates)
    trusted = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(trusted)
    with odd_server(answering(200, b'{"tools": []}'), certificates) as address:
        named = address.replace("127.0.0.1", "localhost")
        with CountersignClient(named, token, retry_seconds=0) as client, pytest.raises(UnreachableError):
            client.tools.list()
        with CountersignClient(named, token, ca_file=trusted) as client:
            assert client.tools.list().tools == []
        # The certificate names localhost alone.
        with CountersignClient(address, token, ca_file=trusted, retry_seconds=0) as client:
            with pytest.raises(UnreachableError):
                client.tools.list()


def test_a_proxy_gets_no_token_unencrypted(url: str, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def proxy(request: object) -> None:
        seen.append(getattr(request, "headers")["authorization"])
        answering(502, b"")(request)  # type: ignore[arg-type]

    with odd_server(proxy) as address:
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("http_proxy", address)
        with CountersignClient(url, token) as client:
            assert client.sign_in.me().kind == "agent"
    assert seen == []


def test_the_token_is_in_no_text(url: str, token: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    texts: list[str] = []

    def told(error: BaseException) -> None:
        # The first frame is of this test, which knows the token.
        frames = error.__traceback__.tb_next if error.__traceback__ else None
        shown = traceback.TracebackException(type(error), error, frames, capture_locals=True)
        texts.extend([repr(error), str(error), *shown.format()])
        # The errors of httpx hold the request, with its headers.
        assert (error.__cause__, error.__context__) == (None, None)

    with CountersignClient(url, token) as client:
        client.sign_in.me()
        texts.extend([repr(client), repr(vars(client)), repr(vars(client._http))])
        with pytest.raises(CountersignError) as refused:
            client.tools.get("nothing")
        told(refused.value)
        with pytest.raises(TypeError):
            pickle.dumps(client._http.auth)
    with no_server() as address, CountersignClient(address, token, retry_seconds=0.5) as client:
        with pytest.raises(CountersignError) as unreachable:
            client.tools.list()
        told(unreachable.value)
    texts.append(repr(AsyncCountersignClient(url, token)))
    texts.extend(record.getMessage() for record in caplog.records)
    assert len(caplog.records) > 3
    assert [text for text in texts if token in text or token[4:] in text] == []


def test_a_client_without_tls_reads_no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_args: object, **_named: object) -> None:
        raise AssertionError("certificates were read")

    monkeypatch.setattr(ssl, "create_default_context", read)
    CountersignClient("http://127.0.0.1:9", "cs_token").close()
