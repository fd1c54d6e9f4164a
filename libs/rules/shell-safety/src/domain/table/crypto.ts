import type { Behaviour, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const CERTIFICATE: Behaviour = {
  class: 'READ_ONLY',
  does: 'describes a certificate',
  operands: 'any',
  inspect: 'named-host',
  options: {
    plain:
      '-alias -certopt -dates -email -enddate -fingerprint -hash -help -issuer -issuer_hash -md5 -modulus ' +
      '-noout -ocsp_uri -pubkey -purpose -serial -sha1 -sha256 -sha512 -startdate -subject -subject_hash -text ' +
      '-verify',
    // A certificate is public, and nothing else of the file of -in is printed: cert.pem is no secret here.
    value: '-checkemail -checkend -checkhost -checkip -dateopt -ext -in -inform -nameopt -outform',
  },
};

/** Keys, certificates and signatures. */
export const CRYPTO_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['openssl'],
    class: 'UNKNOWN',
    does: 'makes or uses keys',
    style: 'single_dash',
    operands: 'any',
    subcommands: {
      version: {
        class: 'READ_ONLY',
        does: 'prints its version',
        options: { plain: '-a -b -d -e -f -m -o -p -r -v -c' },
      },
      ciphers: {
        class: 'READ_ONLY',
        does: 'lists ciphers',
        operands: 'any',
        options: { plain: '-s -tls1 -tls1_1 -tls1_2 -tls1_3 -v -V -psk -srp -stdname', value: '-ciphersuites' },
      },
      ...sameFor('x509, crl', CERTIFICATE),
      list: {
        class: 'READ_ONLY',
        does: 'lists algorithms',
        options: {
          plain:
            '-1 -cipher-algorithms -cipher-commands -commands -digest-algorithms -digest-commands -disabled ' +
            '-public-key-algorithms',
        },
      },
      ...sameFor('dgst, md5, sha1, sha224, sha256, sha384, sha512', {
        class: 'READ_ONLY',
        does: 'prints checksums',
        operands: 'reads',
        options: { plain: '-c -hex -md5 -r -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-512 -binary' },
      }),
      asn1parse: {
        class: 'READ_ONLY',
        does: 'describes a file',
        operands: 'none',
        options: { plain: '-dump -i -noout', value: '-dlimit -inform -length -offset -strparse', reads: '-in' },
      },
      rand: {
        class: 'READ_ONLY',
        does: 'prints random bytes',
        operands: 'any',
        options: { plain: '-base64 -hex' },
      },
      ...sameFor('errstr, prime', { class: 'READ_ONLY', does: 'explains a number', operands: 'any' }),
      ...sameFor('s_client, s_server, s_time, ocsp, ts, cmp', {
        class: 'NETWORK',
        does: 'opens a connection',
        operands: 'any',
      }),
    },
    options: {
      writesTo: '-CAcreateserial -CAserial -keyout -out -writerand',
      reads: '-CA -CAfile -CAkey -CApath -key -signkey -rand',
      executes: '-config -engine -extfile -provider -provider-path',
    },
  },
  {
    names: ['gpg', 'gpg2'],
    class: 'READ_ONLY',
    does: 'lists keys',
    operands: 'any',
    inspect: 'gpg-list',
    options: {
      plain:
        '-k -K -q -v --armor --batch --fingerprint --help --list-keys --list-packets --list-public-keys ' +
        '--list-secret-keys --no-tty --quiet --verbose --version --with-colons --with-fingerprint ' +
        '--with-keygrip --with-subkey-fingerprint',
      value: '--keyid-format --list-options --status-fd',
      writesTo: '-o --keyring --output --logger-file --status-file',
      writes:
        '--import --edit-key --gen-key --generate-key --quick-generate-key --full-generate-key --quick-add-key ' +
        '--sign-key --trust-model',
      destroys: '--delete-keys --delete-secret-keys --delete-key',
      network: '--auto-key-retrieve --fetch-keys --receive-keys --recv-keys --refresh-keys --search-keys --send-keys',
      networkTo: '--keyserver',
      executes: '--agent-program --dirmngr-program --homedir --load-extension --options --photo-viewer --exec-path',
    },
  },
  {
    names: ['ssh-keygen'],
    class: 'READ_ONLY',
    does: 'describes keys',
    operands: 'none',
    inspect: 'ssh-keygen-list',
    options: {
      plain: '-B -l -v',
      value: '-E -F',
      reads: '-f',
      writes: '-A -c -e -H -i -L -p -q -y',
      writesTo: '-R',
      executes: '-D -s -w -Y -Z',
    },
  },
  {
    names: ['ssh-add'],
    class: 'READ_ONLY',
    does: 'lists the keys of the agent',
    operands: 'none',
    inspect: 'ssh-add-list',
    options: { plain: '-l -L -q -v', value: '-E', writes: '-c -D -d -k -K -X -x', executes: '-e -h -H -s -S -T' },
  },
];
