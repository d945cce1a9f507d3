import { Descriptions, Modal } from 'antd'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Delivered, reportRun } from '../contract.ts'

/** To whom a report went, who else may read it, and by what its file is known again. */
const RunDialog = ({ row, close }: DialogProps<typeof reportRun>) => {
  const t = useWords()
  const sent = (row.Deliveries ?? []) as Delivered[]
  const released = row.ReleasedRoles.length + row.ReleasedOrgans.length
  const items = [
    { key: 'period', label: t('explore.period'), children: `${row.PeriodStart} – ${row.PeriodEnd}` },
    {
      key: 'sent',
      label: t('reportRun.Deliveries'),
      children: sent.length
        ? sent.map((d) => <div key={d.UserId}>{t(`reportRun.outcome.${d.Outcome}`, { name: d.UserName })}</div>)
        : t('reportRun.sentToNobody'),
    },
    {
      key: 'released',
      label: t('reportRun.released'),
      children: released ? t('reportRun.releasedTo', { count: released }) : t('reportRun.notReleased'),
    },
    ...(row.Reason ? [{ key: 'reason', label: t('reportRun.Reason'), children: t(`fault.${row.Reason}`) }] : []),
    ...(row.RetryTime ? [{ key: 'retry', label: t('reportRun.RetryTime'), children: row.RetryTime }] : []),
    ...(row.Sha256 ? [{ key: 'sha', label: 'SHA-256', children: <code style={{ overflowWrap: 'anywhere' }}>{row.Sha256}</code> }] : []),
  ]
  return (
    <Modal open title={row.FileName ?? String(row.ScheduleName ?? '')} footer={null} onCancel={close}>
      <Descriptions column={1} size="small" items={items} />
    </Modal>
  )
}
export default RunDialog
