import { Drawer } from 'antd'
import type { Shown } from '../../../../console/kernel/api.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { History } from '../../gateways/console/History.tsx'
import type { project } from '../contract.ts'

/** What happened to the gateways of a project. */
const HistoryDialog = ({ row, close }: { row: Shown<typeof project>; close: () => void }) => {
  const t = useWords()
  const phone = usePhone()
  return (
    <Drawer
      open
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 560}
      title={t('history.of', { name: row.ProjectName })}
      onClose={close}
    >
      <History of={{ ProjectId: row.Id }} />
    </Drawer>
  )
}
export default HistoryDialog
