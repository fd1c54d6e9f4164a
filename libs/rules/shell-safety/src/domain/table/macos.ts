import type { Behaviour, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const SHOWS: Behaviour = { class: 'READ_ONLY', does: 'shows settings', operands: 'any' };

/** Programs that only macOS has. */
export const MACOS_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['defaults'],
    class: 'WRITE',
    does: 'changes preferences',
    operands: 'any',
    subcommands: sameFor('read, read-type, domains, find, help', SHOWS),
  },
  {
    names: ['diskutil'],
    class: 'WRITE',
    does: 'changes disks',
    operands: 'any',
    subcommands: {
      ...sameFor('list, info, activity, listFilesystems, apfs list, apfs listUsers, cs list', {
        ...SHOWS,
        options: { plain: '-all -plist' },
      }),
      ...sameFor(
        'eraseDisk, eraseVolume, partitionDisk, reformat, secureErase, zeroDisk, randomDisk, apfs deleteContainer',
        {
          class: 'DESTRUCTIVE',
          tier: 3,
          does: 'destroys the data of a disk',
          operands: 'any',
        },
      ),
    },
    style: 'single_dash',
  },
  {
    names: ['pmset'],
    class: 'READ_ONLY',
    does: 'shows how the machine saves power',
    style: 'single_dash',
    operands: 'any',
    inspect: 'pmset-get',
    subcommands: sameFor('sleepnow, displaysleepnow, restart', {
      class: 'DESTRUCTIVE',
      tier: 3,
      does: 'stops the machine',
      operands: 'any',
    }),
    options: { plain: '-g', writes: '-a -b -c -u' },
  },
  {
    names: ['mdls'],
    class: 'READ_ONLY',
    does: 'describes files',
    style: 'single_dash',
    operands: 'reads',
    options: { plain: '-raw', value: '-name -nullMarker', writesTo: '-plist' },
  },
  {
    names: ['networksetup'],
    class: 'READ_ONLY',
    does: 'shows network settings',
    style: 'single_dash',
    operands: 'any',
    inspect: 'networksetup-get',
    options: {
      plain:
        '-getairportnetwork -getairportpower -getcomputername -getcurrentlocation -getdnsservers -getinfo ' +
        '-getMTU -getmacaddress -getproxybypassdomains -getsearchdomains -getwebproxy -getsecurewebproxy -help ' +
        '-listallhardwareports -listallnetworkservices -listlocations -listnetworkserviceorder -version',
      writes:
        '-setairportnetwork -setairportpower -setdhcp -setdnsservers -setmanual -setwebproxy -setsecurewebproxy ' +
        '-setautoproxyurl',
    },
  },
  {
    names: ['scutil'],
    class: 'READ_ONLY',
    does: 'shows network settings',
    operands: 'none',
    inspect: 'scutil-get',
    options: { plain: '--dns --help --nwi --proxy', value: '--get', networkTo: '-r', writes: '--set --prefs' },
  },
  {
    names: ['plutil'],
    class: 'READ_ONLY',
    does: 'reads a property list',
    style: 'single_dash',
    operands: 'reads',
    inspect: 'plutil-print',
    options: {
      plain: '-help -lint -p -s',
      writes: '-convert -create -extract -insert -remove -replace -r',
      writesTo: '-o',
    },
  },
  {
    names: ['csrutil', 'systemsetup', 'spctl', 'tmutil', 'softwareupdate', 'nvram', 'fdesetup', 'kextstat', 'kmutil'],
    class: 'WRITE',
    does: 'changes settings of the system',
    operands: 'any',
    subcommands: sameFor('status, listbackups, destinationinfo, latestbackup, currentphase, showloaded', SHOWS),
  },
  {
    names: ['pbpaste'],
    class: 'READ_ONLY',
    tier: 2,
    does: 'prints the clipboard, which can hold secrets',
    operands: 'any',
  },
  {
    names: [
      'pbcopy',
      'xclip',
      'xsel',
      'wl-copy',
      'say',
      'screencapture',
      'xdg-open',
      'open',
      'osascript',
      'automator',
      'security',
      'codesign',
      'hdiutil',
      'installer',
      'pkgutil',
      'sips',
      'caffeinate',
    ],
    class: 'UNKNOWN',
    does: 'acts on the desktop, or executes programs',
    operands: 'any',
  },
];
