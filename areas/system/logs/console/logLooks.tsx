import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { hasWords } from '../../../../console/words/words.ts'
import type { log } from '../contract.ts'

export const cells: ListProps<typeof log>['cells'] = {
  UserNO: (row, t) => row.UserNO ?? <span className="soft">{t('log.server')}</span>,
  Resource: ({ Resource: name }, t) => (name && hasWords(name) ? t(name) : (name ?? '')),
}
