import { App, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { useCall, useRemove, useRow, useWrite } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { download, invoke } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { DetailHead } from '../../../../console/shell/DetailHead.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { actCall } from '../../../../contract/acts.ts'
import { ReportView } from '../../../analysis/reports/console/index.ts'
import { PlanOverTime } from '../../rooms/console/PlanOverTime.tsx'
import { approved, check, checked, coldReport, coldReportCalls, draft } from '../contract.ts'
import { reportsPath } from './index.ts'
import { type ReportRow, reportStates, resultStates } from './reportRow.ts'
import { type Signature, SignDialog } from './SignDialog.tsx'
import './reports.css'

const Actions = ({ row }: { row: ReportRow }) => {
  const t = useWords()
  const confirm = useConfirm()
  const go = useGo()
  const { message } = App.useApp()
  const remove = useRemove(coldReport)
  const [mayAdd, mayCheck, mayApprove, mayRemove] = [
    useMay('m10734.add'),
    useMay('m10734.check'),
    useMay('m10734.approve'),
    useMay('m10734.remove'),
  ]
  const [act, sign] = useState<Signature>()
  const recompute = useWrite([coldReport.name], () => invoke(actCall(coldReport, 'recompute'), { body: { Id: row.Id } as never }))
  const pdf = () =>
    void download(`${coldReportCalls.pdf.path}?Id=${row.Id}`, `${row.ReportNo}.pdf`).catch((error: Error) => message.error(error.message))
  const isComputed = row.Result !== 0 && row.RecordSha256 !== null
  const ask = (name: 'recompute' | 'remove') =>
    confirm({
      title: name === 'remove' ? t('list.removeOne', { title: row.ReportNo }) : t('ask.coldReport.recompute'),
      content: t(name === 'remove' ? 'remove.coldReport' : 'ask.coldReport.recompute.text'),
      ...(name === 'remove' ? {} : { okText: t('act.coldReport.recompute'), danger: false }),
      run: () => (name === 'remove' ? remove.mutateAsync([row.Id]).then(() => go(reportsPath)) : recompute.mutateAsync(undefined)),
    })
  return (
    <>
      {isComputed && <Button onClick={pdf}>{t('cold.report.pdf')}</Button>}
      {mayCheck && row.State === draft && isComputed && (
        <Button type="primary" onClick={() => sign('check')}>
          {t('act.coldReport.check')}
        </Button>
      )}
      {mayApprove && row.State === checked && (
        <Button type="primary" onClick={() => sign('approve')}>
          {t('act.coldReport.approve')}
        </Button>
      )}
      {mayApprove && row.State === approved && (
        <Button danger onClick={() => sign('withdraw')}>
          {t('act.coldReport.withdraw')}
        </Button>
      )}
      {mayAdd && row.State === draft && row.Result !== 0 && (
        <Button onClick={() => ask('recompute')}>{t('act.coldReport.recompute')}</Button>
      )}
      {mayRemove && row.State < (row.ReportType === check ? checked : approved) && (
        <Button danger onClick={() => ask('remove')}>
          {t('button.remove')}
        </Button>
      )}
      {act && <SignDialog row={row} act={act} close={() => sign(undefined)} />}
    </>
  )
}

const Signed = ({ row }: { row: ReportRow }) => {
  const t = useWords()
  const person = (name: unknown, at: string | null) => [name, at].filter(Boolean).join(', ')
  const rows = [
    { key: 'UserId', value: person(row.UserName, null) },
    { key: 'CheckUserId', value: person(row.CheckUserName, row.CheckTime) },
    { key: 'ApproveUserId', value: person(row.ApproveUserName, row.ApproveTime) },
    { key: 'WithdrawUserId', value: person(row.WithdrawUserName, row.WithdrawTime) },
    { key: 'WithdrawReason', value: row.WithdrawReason },
    { key: 'RecordSha256', value: row.RecordSha256 },
    { key: 'FileSha256', value: row.FileSha256 },
  ]
  const shown = rows.filter(({ value }) => value)
  return (
    <section className="panel">
      <Facts
        lines
        of={shown.map(({ key, value }) => ({
          ...{ key, label: t(`coldReport.${key}`) },
          value: <span className={key.endsWith('Sha256') ? 'cold-hash figures' : ''}>{value}</span>,
        }))}
      />
    </section>
  )
}

const Content = ({ row }: { row: ReportRow }) => {
  const t = useWords()
  const isComputed = row.Result !== 0 && row.RecordSha256 !== null
  const { data, error, refetch } = useCall(coldReportCalls.document, { query: { Id: row.Id }, of: [coldReport.name], enabled: isComputed })
  if (row.IsFailed === 1) return <State is="warning">{t('coldReport.IsFailed')}</State>
  if (row.Result === 0) return <EmptyList text={t('cold.report.computing')} />
  if (error) return <Failure fault={error} retry={() => refetch()} />
  return data ? (
    <div className="cold-report">
      <ReportView report={data} />
    </div>
  ) : (
    <Skeleton active />
  )
}

/** Points over time. Not available for rooms without sensor positions. */
const Plan = ({ row }: { row: ReportRow }) => {
  const t = useWords()
  const { data } = useCall(coldReportCalls.plan, { query: { Id: row.Id }, of: [coldReport.name], enabled: row.RecordSha256 !== null })
  if (!data || data.Points.length < 2) return null
  return (
    <section className="panel">
      <h2>{t('cold.plan')}</h2>
      <PlanOverTime of={data} />
    </section>
  )
}

/** One report: its content, signatures and next step. */
const Report = () => {
  const t = useWords()
  const [params] = useAddress()
  const { data: row, error, refetch } = useRow(coldReport, Number(params.get('Id')) || undefined)
  if (!Number(params.get('Id'))) return <Navigate replace to={reportsPath} />
  if (!row) return <article className="page">{error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}</article>
  return (
    <article className="page">
      <DetailHead
        name={row.ReportNo}
        state={
          <>
            <State is={reportStates[row.State]!}>{t(`coldReport.State.${row.State}`)}</State>
            <State is={resultStates[row.Result]!}>{t(`coldReport.Result.${row.Result}`)}</State>
          </>
        }
        belongs={<Link to={reportsPath}>{t('menu.m10734')}</Link>}
        figures={[
          { label: t('coldReport.ColdStorageId'), value: String(row.StorageName ?? '') },
          { label: t('coldReport.StartTime'), value: row.StartTime },
          { label: t('coldReport.EndTime'), value: row.EndTime },
        ]}
        actions={<Actions row={row} />}
      />
      <Signed row={row} />
      {row.Result !== 0 && <Plan row={row} />}
      <Content row={row} />
    </article>
  )
}
export default Report
