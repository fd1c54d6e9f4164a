import { cellMapContract } from './cell-map.contract.js';
import { FakeCellMap } from './fake-cell-map.js';

describe('the map in memory', () => {
  cellMapContract(() => Promise.resolve(new FakeCellMap(['eu1', 'us1'])));
});
