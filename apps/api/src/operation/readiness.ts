/** Something without which this process cannot serve. */
export interface ReadinessCheck {
  /** As `/health/ready` names it; tells nothing of addresses. */
  readonly name: string;
  /** @throws where it is not ready. */
  check(): Promise<void>;
}

export const READINESS_CHECKS = Symbol('ReadinessChecks');
