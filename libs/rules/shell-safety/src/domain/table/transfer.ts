import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';

/** Programs that carry data between hosts. All of them ask: a URL or a host name can carry data out. */
export const TRANSFER_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['curl'],
    class: 'NETWORK',
    does: 'transfers data',
    operands: 'any',
    options: {
      informs: '-V',
      plain:
        `${HELP} ${DIGITS} -a -B -f -g -G -i -I -j -k -l -L -M -n -N -p -q -s -S -v -Z -# --anyauth --append ` +
        '--basic --compressed --disable --digest --fail --fail-early --fail-with-body --ftp-pasv --get --globoff ' +
        '--head --http0.9 --http1.0 --http1.1 --http2 --http3 --include --insecure --ipv4 --ipv6 ' +
        '--junk-session-cookies --list-only --location --location-trusted --manual --negotiate --netrc ' +
        '--no-buffer --no-keepalive --no-progress-meter --no-sessionid --ntlm --parallel --path-as-is --post301 ' +
        '--post302 --post303 --progress-bar --proxytunnel --raw --sasl-ir --show-error --show-headers --silent ' +
        '--ssl --ssl-reqd --tcp-fastopen --tcp-nodelay --tlsv1.2 --tlsv1.3 --verbose',
      value:
        '-A -C -e -H -m -P -Q -r -t -u -w -X -y -Y -z --ciphers --connect-timeout --continue-at ' +
        '--create-file-mode --expect100-timeout --form-string --header --interface --keepalive-time ' +
        '--limit-rate --local-port --max-filesize --max-redirs --max-time --noproxy --oauth2-bearer ' +
        '--parallel-max --proto --proto-default --proto-redir --quote --range --rate --referer --request ' +
        '--request-target --retry --retry-delay --retry-max-time --speed-limit --speed-time --time-cond ' +
        '--tls-max --user --user-agent --write-out',
      reads:
        '-b -d -E -F -T --cacert --capath --cert --cookie --crlfile --data --data-ascii --data-binary ' +
        '--data-raw --data-urlencode --form --json --key --netrc-file --upload-file --url-query --variable',
      writes: '-J -O -R --remote-header-name --remote-name --remote-name-all --remote-time --create-dirs --xattr',
      writesTo:
        '-c -D -o --alt-svc --cookie-jar --dump-header --etag-save --hsts --libcurl --output --output-dir ' +
        '--stderr --trace --trace-ascii --etag-compare',
      executes: '-K --config --engine',
      networkTo:
        '-x --abstract-unix-socket --connect-to --dns-servers --doh-url --preproxy --proxy --proxy-user ' +
        '--resolve --socks4 --socks4a --socks5 --socks5-hostname --unix-socket --url -U',
    },
  },
  {
    names: ['wget', 'wget2'],
    class: 'NETWORK',
    does: 'downloads files',
    operands: 'any',
    options: {
      informs: '-V',
      plain:
        `${HELP} -4 -6 -b -c -d -E -F -h -H -k -K -L -m -N -np -nv -nc -nd -nH -p -q -r -S -v -x ` +
        '--adjust-extension --backup-converted --continue --convert-links --content-disposition --debug ' +
        '--delete-after --follow-ftp --force-directories --force-html --https-only --ignore-case --inet4-only ' +
        '--inet6-only --mirror --no-cache --no-check-certificate --no-clobber --no-cookies --no-directories ' +
        '--no-dns-cache --no-host-directories --no-hsts --no-parent --no-proxy --no-verbose --page-requisites ' +
        '--quiet --recursive --relative --server-response --show-progress --span-hosts --spider --timestamping ' +
        '--trust-server-names --verbose',
      value:
        '-A -D -I -l -Q -R -t -T -U -w -X --accept --connect-timeout --cut-dirs --domains --exclude-directories ' +
        '--header --http-user --include-directories --level --limit-rate --max-redirect --method --password ' +
        '--post-data --body-data --progress --quota --random-wait --read-timeout --referer --reject --timeout ' +
        '--tries --user --user-agent --wait --waitretry',
      reads: '-i --body-file --ca-certificate --certificate --input-file --load-cookies --post-file --private-key',
      writesTo:
        '-a -o -O -P --append-output --directory-prefix --hsts-file --output-document --output-file ' +
        '--save-cookies --warc-file',
      executes: '-e --config --execute --use-askpass',
    },
  },
  {
    names: [
      'http',
      'https',
      'httpie',
      'xh',
      'xhs',
      'aria2c',
      'axel',
      'lynx',
      'w3m',
      'links',
      'elinks',
      'yt-dlp',
      'youtube-dl',
      'fetch',
      'lwp-request',
      'GET',
      'POST',
    ],
    class: 'NETWORK',
    does: 'transfers data',
    operands: 'any',
  },
  {
    names: ['nc', 'ncat', 'netcat', 'nc.openbsd', 'nc.traditional', 'telnet'],
    class: 'NETWORK',
    does: 'opens connections',
    operands: 'any',
    options: {
      plain: `${HELP} -4 -6 -C -d -D -h -k -l -n -N -r -S -t -u -U -v -z`,
      value: '-b -g -G -i -I -M -m -p -P -q -s -T -V -w -W -x -X -O -o',
      executes: '-c -e --exec --lua-exec --sh-exec',
    },
  },
  {
    names: [
      'socat',
      'sshuttle',
      'ssh-copy-id',
      'ssh-keyscan',
      'ssh-agent',
      'rexec',
      'cloudflared',
      'ngrok',
      'frpc',
      'chisel',
      'proxychains',
      'proxychains4',
      'torsocks',
      'torify',
    ],
    class: 'UNKNOWN',
    does: 'opens connections and may execute commands over them',
    operands: 'any',
  },
  {
    names: ['scp', 'sftp'],
    class: 'NETWORK',
    does: 'copies files between hosts',
    operands: 'any',
    options: {
      plain: `${DIGITS} -a -A -B -C -f -N -O -p -q -r -R -s -T -v`,
      value: '-c -l -P -X',
      reads: '-i',
      executes: '-b -D -F -J -o -S',
    },
  },
  {
    names: [
      'ftp',
      'tftp',
      'lftp',
      'ncftp',
      'rclone',
      's3cmd',
      's5cmd',
      'croc',
      'wormhole',
      'magic-wormhole',
      'syncthing',
      'unison',
    ],
    class: 'NETWORK',
    does: 'copies files between hosts',
    operands: 'any',
  },
  {
    names: ['rsync'],
    class: 'NETWORK',
    does: 'copies files, also between hosts',
    operands: 'any',
    options: {
      plain:
        `${HELP} -0 -4 -6 -8 -a -A -b -c -C -d -D -E -F -g -h -H -i -I -k -K -l -L -m -n -N -o -O -p -P -q -r -R ` +
        '-s -S -t -u -U -v -W -x -X -y -z --acls --append --append-verify --archive --checksum --chown --compress ' +
        '--copy-dirlinks --copy-links --cvs-exclude --devices --dirs --dry-run --executability --existing ' +
        '--fake-super --from0 --fuzzy --group --hard-links --human-readable --ignore-errors --ignore-existing ' +
        '--ignore-missing-args --ignore-times --inplace --itemize-changes --keep-dirlinks --links --list-only ' +
        '--mkpath --no-group --no-owner --no-perms --numeric-ids --omit-dir-times --one-file-system --owner ' +
        '--partial --perms --progress --protect-args --prune-empty-dirs --quiet --recursive --relative ' +
        '--safe-links --size-only --sparse --specials --stats --times --update --verbose --whole-file --xattrs ' +
        '--backup',
      value:
        '-B -f -M -T -@ --block-size --bwlimit --chmod --compress-level --contimeout --exclude --filter ' +
        '--include --info --max-delete --max-size --min-size --modify-window --out-format --outbuf --port ' +
        '--protocol --skip-compress --suffix --timeout',
      reads:
        '--compare-dest --copy-dest --exclude-from --files-from --include-from --link-dest --password-file ' +
        '--read-batch',
      writesTo: '--backup-dir --log-file --only-write-batch --partial-dir --temp-dir --write-batch',
      destroys:
        '--del --delete --delete-after --delete-before --delete-delay --delete-during --delete-excluded ' +
        '--delete-missing-args --force --remove-source-files',
      executes: '-e --config --early-input --rsh --rsync-path --daemon',
    },
  },
];
