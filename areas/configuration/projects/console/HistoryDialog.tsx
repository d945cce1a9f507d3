import type { Shown } from '../../../../console/kernel/api.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { History } from '../../gateways/console/History.tsx'
import type { project } from '../contract.ts'

/** The history of a project's gateways. */
const HistoryDialog = ({ row, close }: { row: Shown<typeof project>; close: () => void }) => {
  const t = useWords()
  return (
    <SidePanel width={560} title={t('history.of', { name: row.ProjectName })} onClose={close}>
      <History of={{ ProjectId: row.Id }} />
    </SidePanel>
  )
}
export default HistoryDialog
