import { CountersignError, type CountersignClient } from '#lib/sdk';

/** The reason why too few people could approve a request. Empty if enough could, or if the credential may not read it. */
export async function shortageOf(api: CountersignClient, requestId: string): Promise<readonly string[]> {
  try {
    const { could_approve: counted } = await api.get('/v1/approval-requests/{id}', { path: { id: requestId } });
    return counted?.warning == null ? [] : [counted.warning];
  } catch (error) {
    // The request stands; an agent with a token for submitting alone is not told more.
    if (error instanceof CountersignError) return [];
    throw error;
  }
}
