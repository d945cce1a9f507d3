import { useWords } from '../../../../console/words/words.ts'
import { reasonOf } from './reason.ts'

/** Reason why a message is waiting or was not sent. */
export const Reason = ({ text }: { text: string }) => <>{reasonOf(text, useWords())}</>
