import { DefaultNamingStrategy } from 'typeorm';
import { columnName } from './entity.js';

/** Tables are named by their entities; columns are snake_case. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string): string {
    return columnName(property);
  }
}
