import { TarEntries } from './tar-entries.js';

function header(name: string, kind: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write(size.toString(8).padStart(11, '0'), 124);
  block.write(kind, 156);
  return block;
}

const file = (name: string, content: string): Buffer =>
  Buffer.concat([
    header(name, '0', content.length),
    Buffer.from(content),
    Buffer.alloc((512 - (content.length % 512)) % 512),
  ]);

function read(archive: Buffer, partSize: number): readonly string[] {
  const seen: string[] = [];
  let content: string[] = [];
  const entries = new TarEntries({
    begin: ({ name, kind }) => {
      content = [];
      if (kind !== 'file') seen.push(`${kind} ${name}`);
      else seen.push(`file ${name}`);
    },
    data: (part) => void content.push(part.toString()),
    end: () => void seen.push(content.join('')),
  });
  for (let at = 0; at < archive.length; at += partSize) entries.push(archive.subarray(at, at + partSize));
  return seen;
}

describe('an archive', () => {
  const long = 'x'.repeat(1_300);
  const archive = Buffer.concat([
    header('base/', '5', 0),
    file('base/1', 'one'),
    file('empty', ''),
    header('link', '2', 0),
    file('./long', long),
    file('block', 'y'.repeat(512)),
    Buffer.alloc(1_024),
  ]);
  const expected = [
    'folder base',
    'file base/1',
    'one',
    'file empty',
    '',
    'other link',
    'file long',
    long,
    'file block',
    'y'.repeat(512),
  ];

  it.each([1, 511, 512, 513, 100_000])('is read in parts of %d bytes', (size) => {
    expect(read(archive, size)).toEqual(expected);
  });

  it('may hold a file of more than 8 GiB', () => {
    const large = header('large', '0', 0);
    large.fill(0, 124, 136);
    large[124] = 0x80;
    large.writeUInt32BE(3, 128);
    let size = 0;
    new TarEntries({ begin: (entry) => (size = entry.size), data: () => undefined, end: () => undefined }).push(large);
    expect(size).toBe(3 * 2 ** 32);
  });

  it.each(['/etc/passwd', '../outside', 'base/../../outside'])('may not lead out of its folder: %s', (name) => {
    expect(() => read(file(name, 'x'), 512)).toThrow('The archive names');
  });
});
