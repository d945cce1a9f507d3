import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { hasWords } from '../../../../console/words/words.ts'
import type { command } from '../contract.ts'

export const cells: ListProps<typeof command>['cells'] = {
  Code: ({ Code: code }, t) => {
    if (code === null) return <State is="warning">{t('command.waiting')}</State>
    const text = hasWords(`result.${code}`) ? t(`result.${code}`) : t('push.failed', { code })
    return code === 0 ? text : <State is="alarm">{text}</State>
  },
  UserId: (row, t) => String(row.UserName ?? t('command.system')),
}
