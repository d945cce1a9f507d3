import './selfParse.css'
import { PlusOutlined } from '@ant-design/icons'
import { App, Button, Input, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Shown, useCall, useRow, useSave } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'
import { saveFile } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useTabName } from '../../../../console/shell/tabs/TabName.tsx'
import { useSettled } from '../../../../console/theme/useSettled.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Description, descriptionFaults, mostRequests, type Request } from '../../../../contract/described/description.ts'
import { longestAnswers, selfParse, selfParseCalls } from '../contract.ts'
import { FrameFields } from './FrameFields.tsx'
import { type FormProps, NumberField } from './parts.tsx'
import { RequestFields } from './RequestFields.tsx'
import { Results } from './Results.tsx'

type Custom = Shown<typeof selfParse>
type Draft = Description & { Sample: string }
const draftOf = ({ Frame, Requests, Sample }: Custom): Draft => ({ Frame, Requests, Sample: Sample ?? '' })

const Requests = ({ draft, set, faults, disabled }: FormProps) => {
  const t = useWords()
  const { Requests } = draft
  const change = (next: readonly Request[]) => set({ ...draft, Requests: next })
  const add = (request: Request) => change([...Requests, request])
  const answer = { Send: '{addr} 03', Answer: '{addr} 03' }
  const n = Requests.length + 1
  return (
    <>
      <ol className="frame-list">
        {Requests.map((request, i) => (
          <RequestFields
            // Requests have no Id to serve as a key.
            key={`${Requests.length} ${i}`}
            {...{ of: request, number: i + 1, faults, disabled }}
            change={(next) => change(Requests.with(i, next))}
            remove={Requests.length > 1 ? () => change(Requests.toSpliced(i, 1)) : undefined}
          />
        ))}
      </ol>
      {!disabled && Requests.length < mostRequests && (
        <div className="frame-buttons">
          <Button icon={<PlusOutlined />} onClick={() => add({ ...answer, Fields: [{ Key: `value_${n}_1`, Type: 'u16', At: 2 }] })}>
            {t('selfParse.addRead')}
          </Button>
          <Button
            icon={<PlusOutlined />}
            onClick={() => add({ Send: '{addr} 06 {value}', Answer: '{addr} 06', Fields: [], Write: { Key: `value_${n}`, Type: 'u16' } })}
          >
            {t('selfParse.addWrite')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Test bench: answers on the left, the description in the middle, the results on the right. */
const Bench = ({ row, changed }: { row: Custom; changed: (draft: Draft | undefined) => void }) => {
  const t = useWords()
  const [mayEdit, mayTest] = [useMay(`${selfParse.permission}.edit`), useMay(`${selfParse.permission}.test`)]
  const start = useMemo(() => draftOf(row), [row])
  const [draft, setDraft] = useState(start)
  const [Unit, setUnit] = useState<number | undefined>()
  const [Value, setValue] = useState<number | undefined>()
  const settled = useSettled(draft)
  const set = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    changed(JSON.stringify(next) === JSON.stringify(start) ? undefined : next)
  }
  const faults = useMemo(() => descriptionFaults(draft), [draft])
  const isReady = mayTest && !descriptionFaults(settled).length
  const { Frame, Requests: Asked, Sample } = settled
  const test = useCall(selfParseCalls.test, {
    body: { Frame, Requests: [...Asked], Payload: Sample, ...(Unit !== undefined && { Unit }), ...(Value !== undefined && { Value }) },
    enabled: isReady,
  })
  const form = { draft, set, faults, disabled: !mayEdit }
  return (
    <div className="frame-bench">
      <section className="panel stack">
        <h2>{t('selfParse.Sample')}</h2>
        <Input.TextArea
          className="mono"
          aria-label={t('selfParse.Sample')}
          value={draft.Sample}
          onChange={(e) => set({ Sample: e.target.value })}
          maxLength={longestAnswers}
          autoSize={{ minRows: 6, maxRows: 20 }}
          spellCheck={false}
          placeholder="01 03 04 41 C8 00 00 6F F1"
        />
        <p className="soft">{t('selfParse.sampleHelp')}</p>
        <div className="frame-fields">
          <NumberField
            label={t('selfParse.unit')}
            name={t('selfParse.unit')}
            {...{ min: 0, max: 255, value: Unit, change: setUnit }}
            example="1"
            disabled={false}
          />
          {draft.Requests.some(({ Write }) => Write) && (
            <NumberField
              label={t('selfParse.value')}
              name={t('selfParse.value')}
              {...{ min: -1e15, max: 1e15, value: Value, change: setValue }}
              whole={false}
              example="0"
              disabled={false}
            />
          )}
        </div>
      </section>
      <section className="panel stack">
        <h2>{t('selfParse.Frame')}</h2>
        <FrameFields {...form} />
        <h2>{t('selfParse.Requests')}</h2>
        <p className="soft">{t('selfParse.help')}</p>
        <Requests {...form} />
      </section>
      <section className="panel stack">
        <h2>{t('selfParse.result')}</h2>
        {mayTest ? (
          <Results of={isReady ? test.data : undefined} fault={test.error} hasFaults={faults.length > 0} />
        ) : (
          <p>{t('selfParse.noTest')}</p>
        )}
      </section>
    </div>
  )
}

/** The format that the plugin screen imports. */
const savePackage = ({ CustomName, Frame, Requests, Sample }: Custom) => {
  const content = { Kind: 'selfParse', Frame, Requests, ...(Sample && { Sample }) }
  saveFile(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), `${CustomName}.json`)
}

const Loaded = ({ row }: { row: Custom }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayEdit = useMay(`${selfParse.permission}.edit`)
  useTabName(row.CustomName)
  const [draft, setDraft] = useState<Draft>()
  const save = useSave(selfParse)
  useLeaveGuard({ isDirty: () => draft !== undefined, close: () => setDraft(undefined) })
  const send = () => {
    if (!draft) return
    const { Id, UpdateStamp } = row
    const { Frame, Requests, Sample } = draft
    const change = { Id, ...(UpdateStamp && { UpdateStamp }), Frame, Requests: [...Requests], Sample: Sample || null }
    save.mutate(change, {
      onSuccess: () => {
        setDraft(undefined)
        message.success(t('selfParse.saved'))
      },
    })
  }
  return (
    <Page
      title={row.CustomName}
      actions={
        <>
          <Link to="/protocolManagement/selfParse">{t('menu.m10503')}</Link>
          <Button onClick={() => savePackage(row)}>{t('selfParse.savePackage')}</Button>
          {mayEdit && (
            <Button type="primary" disabled={!draft || descriptionFaults(draft).length > 0} loading={save.isPending} onClick={send}>
              {t('save')}
            </Button>
          )}
        </>
      }
    >
      {save.error && <Failure fault={save.error} />}
      <Bench key={row.UpdateStamp} row={row} changed={setDraft} />
    </Page>
  )
}

const CustomPage = () => {
  const [params] = useSearchParams()
  const { data, error, refetch } = useRow(selfParse, Number(params.get('Id')) || undefined)
  if (data) return <Loaded key={data.Id} row={data} />
  return <article className="page">{error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}</article>
}
export default CustomPage
