import { createInterface } from 'node:readline/promises';
import { PreconditionError } from '../errors/precondition-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { PlanDocument } from '../operations/documents/plan-document.ts';
import { render } from '../render/render.ts';
import { planView } from '../render/views/plan.ts';
import { programName } from './program-name.ts';
import { terminalOf } from './terminal.ts';

/** Where a question is asked. */
export interface PromptStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly noColor: boolean;
  /** Shows every item of the plan instead of the first few of each sort. */
  readonly isComplete?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Shows a plan and asks whether to apply it.
 * @throws {@link UsageError} when there is no terminal to ask on, {@link PreconditionError} when the answer is no.
 */
export async function confirmPlan(plan: PlanDocument, streams: PromptStreams): Promise<void> {
  const { input, output, noColor, isComplete, signal } = streams;
  if (!input.isTTY || !output.isTTY) {
    throw new UsageError('this changes the datastore, and there is no terminal to ask on', {
      hint: 'look at the plan with --dry-run, then repeat the command with --yes',
    });
  }
  output.write(
    await render(plan, planView({ isComplete }), {
      format: 'text',
      ...terminalOf(output, process.env, noColor),
      program: programName(process.argv[1]),
    }),
  );
  if (await isAgreed('Apply this plan? [y/N] ', { input, output, signal })) return;
  throw new PreconditionError('not confirmed: nothing was written');
}

async function isAgreed(
  question: string,
  { input, output, signal }: Omit<PromptStreams, 'noColor'>,
): Promise<boolean> {
  const prompt = createInterface({ input, output });
  try {
    const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
    const answer = await Promise.race([prompt.question(question, { signal }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
