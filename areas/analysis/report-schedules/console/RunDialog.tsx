import { Button, Descriptions, Modal, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { download } from '../../../../console/session/request.ts'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { type LateFigure, type ReportFile, type reportRun, reportRunCalls } from '../contract.ts'
import { bytesText } from './bytesText.ts'
import { lateText, movedFigures } from './lateText.ts'

type Sent = Answer<typeof reportRunCalls.sent>[number]

/** What became of it at a receiver: the mail, and the link that needs no sign-in. */
const moreOf = ({ SendStatus, ErrorText, Opens, ValidTo }: Sent, t: Words) =>
  [
    ...(SendStatus === null ? [] : [t(`almPushRecord.SendStatus.${SendStatus}`)]),
    ...(ErrorText && SendStatus !== 1 ? [ErrorText] : []),
    ...(Opens === null ? [] : [t('reportRun.opens', { count: Opens })]),
    ...(ValidTo === null ? [] : [t('reportRun.openUntil', { time: timeText(ValidTo).slice(0, 16) })]),
  ].join(' · ')

const Receivers = ({ id }: { id: number }) => {
  const t = useWords()
  const { data } = useCall(reportRunCalls.sent, { query: { Id: id }, of: ['reportRun', 'almPushRecord'] })
  if (!data) return <Skeleton active paragraph={{ rows: 1 }} title={false} />
  if (!data.length) return t('reportRun.sentToNobody')
  return data.map((to) => (
    <div key={to.UserName} style={{ overflowWrap: 'anywhere' }}>
      {t(`reportRun.outcome.${to.Outcome}`, { name: to.UserName })} <span className="faint">{moreOf(to, t)}</span>
    </div>
  ))
}

const Files = ({ id, files }: { id: number; files: readonly ReportFile[] }) => {
  const t = useWords()
  return files.map(({ Language, FileName, FileBytes, Sha256 }) => (
    <div key={Language}>
      <Button
        type="link"
        style={{ height: 'auto', padding: 0, whiteSpace: 'normal', textAlign: 'start', overflowWrap: 'anywhere' }}
        onClick={() => download(`${reportRunCalls.file.path}?Id=${id}&Language=${Language}`, FileName)}
      >
        {FileName}
      </Button>{' '}
      {t(`reportSchedule.Language.${Language}`)} · {bytesText(FileBytes)}
      <br />
      <code className="faint" style={{ overflowWrap: 'anywhere' }}>
        {Sha256}
      </code>
    </div>
  ))
}

/** The figures that later readings move: in the file, as they are, and the difference. */
const LateFigures = ({ of }: { of: readonly LateFigure[] }) => {
  const t = useWords()
  if (!of.length) return t('reportRun.lateNone')
  return of.map((figure) => (
    <div key={figure.Name} style={{ overflowWrap: 'anywhere' }}>
      {lateText(figure, t)}
    </div>
  ))
}

/** One below the other: antd lays content out in a row. */
const lines = (of: ReactNode) => <div>{of}</div>

/** To whom a report went, who else may read it, and by what its files are known again. */
const RunDialog = ({ row, close }: DialogProps<typeof reportRun>) => {
  const t = useWords()
  const released = row.ReleasedUsers.length + row.ReleasedRoles.length + row.ReleasedOrgans.length
  const files = (row.Files ?? []) as ReportFile[]
  const items = [
    { key: 'period', label: t('explore.period'), children: `${row.PeriodStart} – ${row.PeriodEnd}` },
    ...(row.StartTime && row.EndTime
      ? [
          {
            key: 'made',
            label: t('reportRun.made'),
            children: `${row.StartTime} – ${row.EndTime} · ${numberText(row.Duration ?? 0, 1, language())} s`,
          },
        ]
      : []),
    { key: 'sent', label: t('reportRun.Deliveries'), children: lines(<Receivers id={row.Id} />) },
    {
      key: 'released',
      label: t('reportRun.released'),
      children: released ? t('reportRun.releasedTo', { count: released }) : t('reportRun.notReleased'),
    },
    ...(row.LatePoints > 0 && row.Late
      ? [{ key: 'late', label: t('reportRun.Late'), children: lines(<LateFigures of={movedFigures(row.Late as LateFigure[])} />) }]
      : []),
    ...(row.Reason ? [{ key: 'reason', label: t('reportRun.Reason'), children: t(`fault.${row.Reason}`) }] : []),
    ...(row.RetryTime ? [{ key: 'retry', label: t('reportRun.RetryTime'), children: row.RetryTime }] : []),
    ...(files.length ? [{ key: 'files', label: t('reportRun.Files'), children: lines(<Files id={row.Id} files={files} />) }] : []),
  ]
  return (
    <Modal open title={row.FileName ?? String(row.ScheduleName ?? '')} footer={null} onCancel={close}>
      <Descriptions column={1} size="small" items={items} />
    </Modal>
  )
}
export default RunDialog
