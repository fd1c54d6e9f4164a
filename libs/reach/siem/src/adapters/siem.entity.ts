import { connectionColumns, connectionKey } from '#lib/connection';
import { entity } from '#lib/database';

export const siemCollectorEntity = entity('siem_collector', connectionKey, connectionColumns);
