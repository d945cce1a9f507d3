import { useWords } from '../../../../console/words/words.ts'
import { reasonOf } from './reason.ts'

/** Why a message waits, or was not sent. */
export const Reason = ({ text }: { text: string }) => <>{reasonOf(text, useWords())}</>
