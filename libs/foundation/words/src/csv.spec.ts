import { csvRecord } from './csv.js';

describe('a record of CSV', () => {
  it.each([
    [['a', 1, true, null], 'a,1,true,\r\n'],
    [['with, comma', 'with "quotes"', 'two\r\nlines'], '"with, comma","with ""quotes""","two\r\nlines"\r\n'],
    [['=1+1', '+1', '-1', '@SUM(A1)'], "'=1+1,'+1,'-1,'@SUM(A1)\r\n"],
    [['\t1', ' =1', '=HYPERLINK("http://x","y")'], `"'\t1", '=1,"'=HYPERLINK(""http://x"",""y"")"\r\n`],
    [[-1, 'a=1', '5 - 3'], '-1,a=1,5 - 3\r\n'],
    [['＝1+1', '＋1', '－1', '＠SUM(A1)'], "'＝1+1,'＋1,'－1,'＠SUM(A1)\r\n"],
    [['h;"=1', 'i; " +1'], `"h;""'=1","i; "" '+1"\r\n`],
    [['a;=1+1', 'b; @c', 'd\n-1', 'e\t+1', 'f;g=1'], `"a;'=1+1","b; '@c","d\n'-1","e\t'+1","f;g=1"\r\n`],
  ])('writes %j as %j', (values, record) => {
    expect(csvRecord(values)).toBe(record);
  });
});
