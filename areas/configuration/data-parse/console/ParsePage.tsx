import './dataParse.css'
import { HistoryOutlined } from '@ant-design/icons'
import { App, Button, Input, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCall, useRow, useSave } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { saveFile } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useTabName } from '../../../../console/shell/tabs/TabName.tsx'
import { useSettled } from '../../../../console/theme/useSettled.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mostRules } from '../../../../contract/parsing/mapping.ts'
import { propertiesOf } from '../../../../contract/parsing/properties.ts'
import { gateway } from '../../gateways/contract.ts'
import { dataParse, dataParseCalls, longestSample } from '../contract.ts'
import { type Draft, draftOf, isSound, type Parser, partsOf, sampleOf } from './draft.ts'
import { Paths } from './Paths.tsx'
import { ReaderPane } from './ReaderPane.tsx'
import { RealMessages } from './RealMessages.tsx'
import { Results } from './Results.tsx'
import { ruleOf } from './ruleOf.ts'
import { ScriptResult } from './ScriptResult.tsx'

const VersionsDialog = lazyScreen(() => import('./VersionsDialog.tsx'), null)
const readPaths = (text: string) => {
  try {
    return propertiesOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

type BenchProps = { row: Parser; changed: (draft: Draft | undefined) => void }
/** Test bench: sample on the left, mapping or script in the middle, live result on the right. */
const Bench = ({ row, changed }: BenchProps) => {
  const t = useWords()
  const [mayEdit, mayTest] = [useMay(`${dataParse.permission}.edit`), useMay(`${dataParse.permission}.test`)]
  const start = useMemo(() => draftOf(row), [row])
  const [draft, setDraft] = useState(start)
  const [GatewayId, chooseGateway] = useState<number | null>(null)
  const settled = useSettled(draft)
  const { Sample, Topic } = settled
  const set = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    changed(JSON.stringify(next) === JSON.stringify(start) ? undefined : next)
  }
  const addRule = (path: string) => draft.Mapping.length < mostRules && set({ Mapping: [...draft.Mapping, ruleOf(path)] })
  const isScript = draft.Kind === 2
  const paths = useMemo(() => readPaths(Sample), [Sample])
  const isReady = mayTest && Sample.trim() !== '' && isSound(settled)
  const test = useCall(dataParseCalls.tryOut, {
    body: { ...partsOf(settled), Payload: Sample, Topic, ...(GatewayId && { GatewayId }) },
    of: ['point', 'device'],
    enabled: isReady,
  })
  const tested = isReady ? test.data : undefined
  return (
    <div className="parse-bench">
      <section className="panel stack">
        <h2>{t('dataParse.Sample')}</h2>
        {mayTest && (
          <div className="parse-field">
            <span className="soft">{t('dataParse.onGateway')}</span>
            <RefInput
              to={gateway}
              value={GatewayId}
              onChange={chooseGateway}
              where={{ EnterpriseId: row.EnterpriseId }}
              placeholder={t('dataParse.noGateway')}
              aria-label={t('dataParse.onGateway')}
            />
            {GatewayId !== null && <RealMessages gateway={GatewayId} choose={(message) => set(sampleOf(draft, message))} />}
          </div>
        )}
        <Input.TextArea
          className="mono"
          aria-label={t('dataParse.Sample')}
          value={draft.Sample}
          onChange={(e) => set({ Sample: e.target.value })}
          maxLength={longestSample}
          autoSize={{ minRows: 8, maxRows: 24 }}
          spellCheck={false}
          placeholder={t(isScript && draft.Input === 3 ? 'dataParse.pasteHex' : 'dataParse.paste')}
        />
        <div className="parse-field">
          <span className="soft">{t('dataParse.Topic')}</span>
          <Input
            aria-label={t('dataParse.Topic')}
            value={draft.Topic}
            maxLength={200}
            onChange={(e) => set({ Topic: e.target.value })}
            placeholder="plant/line-1/telemetry"
          />
        </div>
        {(!isScript || draft.Input === 1) && <Paths of={paths} isEmpty={!Sample.trim()} add={mayEdit && !isScript ? addRule : undefined} />}
      </section>
      <ReaderPane draft={draft} set={set} addRule={addRule} mayEdit={mayEdit} fault={isScript ? (tested?.Fault ?? null) : null} />
      <section className="panel stack">
        <h2>{t('dataParse.result')}</h2>
        {mayTest ? <Results of={tested} fault={test.error} hasFaults={!isSound(draft)} /> : <p>{t('dataParse.noTest')}</p>}
        {tested && <ScriptResult of={tested} />}
      </section>
    </div>
  )
}

/** The format that the plugin screen imports. */
const savePackage = ({ ParseName, Kind, Mapping, Script, Input, Sample, Topic }: Parser) => {
  const reader = Kind === 2 ? { Script, Input } : { Mapping }
  const content = { Kind: 'dataParse', ...reader, ...(Topic && { Topic }), ...(Sample && { Sample }) }
  saveFile(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), `${ParseName}.json`)
}

const Loaded = ({ row }: { row: Parser }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayEdit = useMay(`${dataParse.permission}.edit`)
  useTabName(row.ParseName)
  const [draft, setDraft] = useState<Draft>()
  const [isShowing, show] = useState(false)
  const save = useSave(dataParse)
  useLeaveGuard({ isDirty: () => draft !== undefined, close: () => setDraft(undefined) })
  const send = () => {
    if (!draft) return
    const { Id, UpdateStamp } = row
    const { Sample, Topic } = draft
    const change = { Id, ...(UpdateStamp && { UpdateStamp }), ...partsOf(draft), Sample, Topic: Topic || null }
    save.mutate(change, {
      onSuccess: ({ Version }) => {
        setDraft(undefined)
        message.success(t('dataParse.saved', { version: Version }))
      },
    })
  }
  return (
    <Page
      title={row.ParseName}
      actions={
        <>
          <Link to="/protocolManagement/dataParse">{t('menu.m10504')}</Link>
          {(['Project', 'Gateway', 'Device'] as const).map((to) => (
            <Link key={to} to={`/protocolManagement/assign${to}?DataParseId=${row.Id}`}>
              {t(`dataParse.to${to}s`)}
            </Link>
          ))}
          <Button icon={<HistoryOutlined />} onClick={() => show(true)}>
            {t('dataParse.versionNow', { version: row.Version })}
          </Button>
          <Button onClick={() => savePackage(row)}>{t('selfParse.savePackage')}</Button>
          {mayEdit && (
            <Button type="primary" disabled={!draft || !isSound(draft)} loading={save.isPending} onClick={send}>
              {t('save')}
            </Button>
          )}
        </>
      }
    >
      {save.error && <Failure fault={save.error} />}
      <Bench key={row.UpdateStamp} row={row} changed={setDraft} />
      {isShowing && <VersionsDialog of={row} isDirty={draft !== undefined} close={() => show(false)} />}
    </Page>
  )
}

const ParsePage = () => {
  const [params] = useSearchParams()
  const { data, error, refetch } = useRow(dataParse, Number(params.get('Id')) || undefined)
  if (data) return <Loaded key={data.Id} row={data} />
  return <article className="page">{error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}</article>
}
export default ParsePage
