import { conversationRows } from '../../../../../test/support/conversation-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeConversation } from '../application/conversation.contract.js';
import { TypeormComments } from './typeorm-comments.js';
import { TypeormRecipients } from './typeorm-recipients.js';

describeConversation('TypeormComments and TypeormRecipients', async () => {
  const world = await postgresWorld();
  return {
    world,
    comments: new TypeormComments(),
    recipients: new TypeormRecipients(),
    ...conversationRows(world),
  };
});
