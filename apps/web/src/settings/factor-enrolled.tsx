import type { FactorEnrolledView } from '#lib/api-schemas';
import { useSignedIn } from '../api/browser-session.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { RecoveryCodes } from '../components/recovery-codes.js';

interface FactorEnrolledProps {
  readonly title: string;
  readonly enrolled: FactorEnrolledView;
  readonly onClose: () => void;
}

/** A factor counts from now on. The first one comes with recovery codes, which nothing closes before they are saved. */
export function FactorEnrolled({ title, enrolled, onClose }: FactorEnrolledProps) {
  const { person } = useSignedIn();
  const codes = enrolled.recovery_codes;
  if (codes === null)
    return (
      <Dialog title={title} onClose={onClose}>
        <div className="flex flex-col items-start gap-4">
          <p className="text-sm">Done. It counts from now on.</p>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title="Save your recovery codes"
      description="Done. It counts from now on. Each code stands in for a lost factor once; they are not shown again."
    >
      <div className="flex flex-col items-start gap-4">
        <RecoveryCodes codes={codes} account={person.display_name} done="Continue" onSaved={onClose} />
      </div>
    </Dialog>
  );
}
