import { FileSearch } from 'lucide-react';
import { useSignedIn } from '../api/browser-session.js';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';

const AUDITORS: readonly string[] = ['PlatformAdmin', 'SecurityReviewer'];

/** Whether the roles of the reader open the audit log. */
export const useMayAudit = (): boolean => useSignedIn().person.roles.some((role) => AUDITORS.includes(role));

/** Stands in for a page of the audit log if the reader's roles do not open it. */
export const NoAuditRole = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <Empty icon={<FileSearch aria-hidden />} title="Your roles do not open the audit log">
      Ask a PlatformAdmin for the role SecurityReviewer. The page of a plan shows its own history to everybody.
    </Empty>
  </Page>
);
