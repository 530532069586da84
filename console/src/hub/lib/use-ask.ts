import { useAnswer, type Reading } from '../../lib/use-answer.ts';
import { ask, fileAddress, readText, type FileText, type Question, type VersionName } from './api.ts';

/** Asks the hub, and again whenever something changed; `undefined` asks nothing. */
export function useAsk<T>(question: Question<T> | undefined): Reading<T> {
  return useAnswer(question?.address ?? '', (signal) => ask(question ?? { address: '' }, signal));
}

/** The text of a file of a version. */
export function useFile(name: VersionName, path: string | undefined): Reading<FileText> {
  return useAnswer(path === undefined ? '' : fileAddress(name, path), (signal) => readText(name, path ?? '', signal));
}
