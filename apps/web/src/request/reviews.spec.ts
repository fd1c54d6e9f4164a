import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ReviewView } from '#lib/api-schemas';
import { Reviews } from './reviews.js';

// It needs a browser's clock, which is not there when a page is rendered to text.
jest.mock('../components/times.js', () => ({ TimeAgo: () => null }));

const SAM_WITH_CYRILLIC_A = 'S\u0430m';

it.each(['shares a vote', 'is stood in for'])('names the look-alike letters of a person who %s', (which) => {
  const named = { id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a', display_name: SAM_WITH_CYRILLIC_A };
  const review: ReviewView = {
    ...{ id: named.id, request_id: named.id, person: { ...named, display_name: 'Ada' }, decision_id: named.id },
    ...{
      verdict: 'approve',
      always: false,
      confirm_word: null,
      comment: '',
      roles: ['SRELead'],
      mfa_method: 'passkey',
    },
    known_by: ['an invitation'],
    shares_vote_with: which === 'shares a vote' ? [named] : [],
    stands_in_for: which === 'is stood in for' ? named : null,
    subject_digest: `sha256:${'0'.repeat(64)}`,
    created_at: '2026-11-01T12:00:00.000Z',
    replaced_at: null,
  };
  const shown = renderToStaticMarkup(createElement(Reviews, { reviews: [review] }));
  expect(shown).toContain('>U+0430</span>');
  expect(shown).not.toContain(SAM_WITH_CYRILLIC_A);
});
