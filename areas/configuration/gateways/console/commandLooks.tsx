import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import type { command } from '../contract.ts'

/** The result of a command; null before the answer. */
export const Result = ({ code }: { code: number | null }) => {
  const t = useWords()
  if (code === null) return <State is="warning">{t('command.waiting')}</State>
  const text = hasWords(`result.${code}`) ? t(`result.${code}`) : t('push.failed', { code })
  return code === 0 ? text : <State is="alarm">{text}</State>
}

export const cells: ListProps<typeof command>['cells'] = {
  Code: ({ Code }) => <Result code={Code} />,
  UserId: (row, t) => String(row.UserName ?? t('command.system')),
}
