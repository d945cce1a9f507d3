import { Alert, Button, Input, Segmented, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { type CalendarSpan, calendarSpanOf, daysOf } from '../../../../console/chart/calendarSpans.ts'
import { PeriodPicker } from '../../../../console/chart/PeriodPicker.tsx'
import { type Shown, useCall, useCommand, useRow, useRows } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { dayText, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import { coldFigureCalls } from '../../figures/contract.ts'
import { coldStorage } from '../../rooms/contract.ts'
import { type CheckAsk, checkKinds, coldCriteria, coldReport, coldReportCalls, loadStates, type PhaseAsk, seasons } from '../contract.ts'
import { reportsPath } from './index.ts'
import { Marks } from './Marks.tsx'
import { type Draft, momentOf, useDraft } from './reportDraft.ts'
import './reports.css'

type Room = Shown<typeof coldStorage>
type Span = { Start: number; End: number }
const spans: readonly CalendarSpan[] = ['day', 'week', 'month', 'range']
const periodOf = { day: 1, week: 2, month: 3 } as const

type Put = (part: Partial<Draft>) => void
const Choice = ({
  of,
  name,
  values,
  put,
}: {
  of: Draft
  name: 'CheckKind' | 'LoadState' | 'Season'
  values: readonly number[]
  put: Put
}) => {
  const t = useWords()
  return (
    <Select
      className="cold-choice"
      value={of[name]}
      aria-label={t(`coldReport.${name}`)}
      options={values.map((value) => ({ value, label: t(`coldReport.${name}.${value}`) }))}
      onChange={(value) => put({ [name]: value })}
    />
  )
}

/** Acceptance criteria: saved ones, or the defaults of the storage type, which are saved with the report. */
const Criteria = ({ room, draft, put }: { room: Room; draft: Draft; put: Put }) => {
  const t = useWords()
  const [adding, add] = useState(false)
  const { data } = useRows(coldCriteria, { ColdStorageId: room.Id, PageSize: 50 })
  const saved = data?.Items ?? []
  return (
    <div className="cold-choices">
      <Select
        className="cold-criteria"
        value={saved.some(({ Id }) => Id === draft.CriteriaId) ? draft.CriteriaId! : 0}
        aria-label={t('coldCriteria')}
        options={[
          { value: 0, label: t('cold.report.usualCriteria') },
          ...saved.map(({ Id, CriteriaName, SetTime, SetUserName }) => ({
            value: Id,
            label: [CriteriaName, SetUserName, SetTime].filter(Boolean).join(' · '),
          })),
        ]}
        onChange={(id) => put({ CriteriaId: id || null })}
      />
      <Button onClick={() => add(true)}>{t('cold.report.addCriteria')}</Button>
      {adding && (
        <ResourceForm
          of={coldCriteria}
          fixed={{ ColdStorageId: room.Id, TempLow: room.TempLow, TempHigh: room.TempHigh }}
          onAdded={({ Id }) => put({ CriteriaId: Id })}
          close={() => add(false)}
        />
      )}
    </div>
  )
}

const PreChecks = ({ room, span, criteria }: { room: Room; span: Span; criteria: number | null }) => {
  const t = useWords()
  const { data: saved } = useRow(coldCriteria, criteria ?? undefined)
  const { data: usual } = useCall(coldFigureCalls.standard, { query: { StorageType: room.StorageType }, enabled: criteria === null })
  const limits = criteria === null ? usual : saved
  const { data, error } = useCall(coldReportCalls.preCheck, {
    body: {
      ...{ ColdStorageId: room.Id, ...span, MinPoints: limits?.MinPoints ?? 9 },
      ...{ MinHours: limits?.MinHours ?? 48, IntervalMin: limits?.IntervalMin ?? 5 },
    },
    of: ['coldSensorBind', 'coldCalibration', 'coldStorage'],
    enabled: limits !== undefined,
  })
  if (error) return <State is="warning">{error.message}</State>
  return (
    <ul className="cold-lines" aria-label={t('cold.report.preChecks')}>
      {(data?.Items ?? []).map(({ Code, IsOk, Text }) => (
        <li key={Code}>
          <State is={IsOk === 0 ? 'warning' : IsOk === 2 ? 'notice' : 'normal'}>
            {IsOk === 1 ? `✓ ${Text}` : IsOk === 2 ? `${Text} ${t('cold.report.unsaid')}` : Text}
          </State>
        </li>
      ))}
    </ul>
  )
}

const useGenerate = (draft: Draft, room: Room | undefined, span: Span, done: (id: number) => void) => {
  const isComposed = room?.IsCompose === 1
  const changed = [coldReport.name, coldCriteria.name]
  const quiet = { meta: { quiet: true } }
  const check = useCommand(isComposed ? coldReportCalls.generateCheckCompose : coldReportCalls.generateCheck, changed, quiet)
  const running = useCommand(isComposed ? coldReportCalls.generatePhaseCompose : coldReportCalls.generatePhase, changed, quiet)
  const Marks = draft.marks.map(({ Kind, From, To }) => ({ Kind, From: momentOf(From), To: momentOf(To) }))
  const onSuccess = (row: unknown) => done((row as { Id: number }).Id)
  const send = () => {
    const ask = { ColdStorageId: room!.Id, Language: language() }
    if (draft.kind === 'check') {
      const { CheckKind, LoadState, Season, Purpose, CriteriaId } = draft
      const own = { CheckKind, LoadState, Season, Purpose, Marks, ...(CriteriaId ? { CriteriaId } : {}) }
      return check.mutate({ body: { ...ask, ...span, ...own } as CheckAsk }, { onSuccess })
    }
    const unit = calendarSpanOf(draft.of)
    const Period = periodOf[unit as 'day'] as 1 | 2 | 3 | undefined
    const body: PhaseAsk = Period ? { ...ask, Period, Day: daysOf(draft.of)!.from } : { ...ask, ...span }
    return running.mutate({ body }, { onSuccess })
  }
  const { error, isPending } = draft.kind === 'check' ? check : running
  return { send, error, isPending, isWhole: Marks.every(({ From, To }) => From !== undefined && To !== undefined) }
}

/** Report wizard: room, kind, time range, criteria, pre-checks. Entries are kept until the report is generated. */
const Wizard = () => {
  const t = useWords()
  const go = useGo()
  const { draft, put, forget } = useDraft()
  const today = dayText(Date.now())
  const yesterday = dayOf(dayNumber(today) - 1)
  const of = daysOf(draft.of) ? draft.of : yesterday
  const days = daysOf(of)!
  const [Start, End] = [wallToEpoch(`${days.from} 00:00:00`), wallToEpoch(`${dayOf(dayNumber(days.to) + 1)} 00:00:00`)]
  const span = { Start, End: Math.min(End, wallToEpoch(`${today} 00:00:00`)) }
  const { data: room } = useRow(coldStorage, draft.ColdStorageId ?? undefined)
  const { send, error, isPending, isWhole } = useGenerate({ ...draft, of }, room, span, (id) => {
    forget()
    void go(`${reportsPath}?Id=${id}`)
  })
  const isCheck = draft.kind === 'check'
  const said = error && (Object.values(error.details.Fields ?? {}).flat()[0] ?? error.message)
  return (
    <Page title={t('cold.report.new')} actions={<Link to={reportsPath}>{t('menu.m10734')}</Link>}>
      <div className="stack cold-wizard">
        <section className="panel stack-tight">
          <h2>{t('coldReport.ColdStorageId')}</h2>
          <RefInput
            to={coldStorage}
            value={draft.ColdStorageId}
            placeholder={t('coldReport.ColdStorageId')}
            aria-label={t('coldReport.ColdStorageId')}
            onChange={(id) => put({ ColdStorageId: id, CriteriaId: null })}
          />
        </section>
        <section className="panel stack-tight">
          <h2>{t('coldReport.ReportType')}</h2>
          <Segmented<Draft['kind']>
            value={draft.kind}
            aria-label={t('coldReport.ReportType')}
            options={[
              { value: 'check', label: t('coldReport.ReportType.2') },
              { value: 'running', label: t('coldReport.ReportType.1') },
            ]}
            onChange={(kind) => put({ kind })}
          />
          {isCheck && (
            <div className="cold-choices">
              <Choice of={draft} name="CheckKind" values={checkKinds} put={put} />
              <Choice of={draft} name="LoadState" values={loadStates} put={put} />
              <Choice of={draft} name="Season" values={seasons} put={put} />
            </div>
          )}
          {isCheck && (
            <Input.TextArea
              rows={2}
              value={draft.Purpose}
              maxLength={500}
              placeholder={t('coldReport.Purpose')}
              aria-label={t('coldReport.Purpose')}
              onChange={({ target }) => put({ Purpose: target.value })}
            />
          )}
        </section>
        <section className="panel stack-tight">
          <h2>{t('cold.report.time')}</h2>
          <PeriodPicker of={of} spans={spans} today={today} set={(next) => put({ of: next })} />
          {span.End <= span.Start && <State is="warning">{t('cold.report.notOver')}</State>}
        </section>
        {isCheck && room && (
          <section className="panel stack-tight">
            <h2>{t('coldCriteria')}</h2>
            <Criteria room={room} draft={draft} put={put} />
          </section>
        )}
        {isCheck && (
          <section className="panel stack-tight">
            <h2>{t('coldReport.Marks')}</h2>
            <Marks of={draft.marks} example={span.Start} change={(marks) => put({ marks })} />
          </section>
        )}
        {isCheck && room && span.End > span.Start && (
          <section className="panel stack-tight">
            <h2>{t('cold.report.preChecks')}</h2>
            <PreChecks room={room} span={span} criteria={draft.CriteriaId} />
          </section>
        )}
        {said && <Alert type="error" showIcon title={said} />}
        <div className="button-row">
          <Button type="primary" disabled={!room || span.End <= span.Start || !isWhole} loading={isPending} onClick={send}>
            {t('cold.report.generate')}
          </Button>
        </div>
      </div>
    </Page>
  )
}
export default Wizard
