import { answerInThread } from '#lib/workspace-search';

// The program of the thread that `searchInThread` starts.
void answerInThread();
