import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { hasWords, type Words } from '../../../../console/words/words.ts'
import type { almPushRecord } from '../contract.ts'

/** Translates our own reasons; texts of a provider stay unchanged. */
export const reasonOf = (text: string, t: Words) =>
  hasWords(`push.${text}`) ? t(`push.${text}`) : hasWords(`fault.${text}`) ? t(`fault.${text}`) : text

export const cells: ListProps<typeof almPushRecord>['cells'] = { ErrorText: ({ ErrorText }, t) => ErrorText && reasonOf(ErrorText, t) }
