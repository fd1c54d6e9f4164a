import { conversationRows } from '../../../../../test/support/conversation-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeConversation } from '../application/conversation.contract.js';
import { SqlComments } from './sql-comments.js';
import { SqlRecipients } from './sql-recipients.js';

describeConversation('SqlComments and SqlRecipients', async () => {
  const world = await postgresWorld();
  return {
    world,
    comments: new SqlComments(),
    recipients: new SqlRecipients(),
    ...conversationRows(world),
  };
});
