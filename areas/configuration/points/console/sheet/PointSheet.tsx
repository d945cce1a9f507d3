import { CloseOutlined, PlusOutlined, RedoOutlined, SearchOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, App, Button, Checkbox, Input } from 'antd'
import { useMemo, useState } from 'react'
import { useCall, useRows } from '../../../../../console/kernel/api.ts'
import { useLeaveGuard } from '../../../../../console/kernel/form/useLeaveGuard.ts'
import { LiveAge, LiveValue } from '../../../../../console/live/LiveCells.tsx'
import type { Fault } from '../../../../../console/session/request.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { numberText } from '../../../../../console/words/formats.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import { mostCellRows } from '../../../../../contract/cells.ts'
import type { Resource } from '../../../../../contract/resource.ts'
import { telemetryCalls } from '../../../../../contract/telemetry.ts'
import { standardPara } from '../../../standard-points/contract.ts'
import { type Edit, fillDown, replaceAll, series } from './edits.ts'
import { SheetGrid } from './SheetGrid.tsx'
import type { Selection } from './useHands.ts'
import { blockOf, type Row, type Sheet, useSheet } from './useSheet.ts'
import { columnsOf } from './values.ts'
import './sheet.css'

/** Maximum rows of the spreadsheet. */
const mostRows = 10_000
const start: Selection = { from: { row: 0, column: 0 }, to: { row: 0, column: 0 } }
const none: never[] = []
/** Live value and age of each point, if the user may see them. */
const useBeside = (DeviceId: number | undefined) => {
  const t = useWords()
  const maySee = useMay('m10301')
  const { data } = useCall(telemetryCalls.paraInfo, {
    query: { DeviceIds: String(DeviceId) },
    of: ['point', 'device'],
    enabled: maySee && DeviceId !== undefined,
  })
  return useMemo(() => {
    if (!data) return none
    const known = new Map(data.map((one) => [one.ParaId, one]))
    const cell = (Shown: typeof LiveValue) => (row: Row) => known.has(row.Id) && <Shown point={known.get(row.Id)!} />
    return [
      { key: 'value', title: t('sheet.live'), cell: cell(LiveValue) },
      { key: 'age', title: t('sheet.age'), cell: cell(LiveAge) },
    ]
  }, [data, t])
}

/** Saves rows, at most 1,000. */
export type Send = (Rows: ReturnType<Sheet['changes']>) => Promise<unknown>

/** Saves all changes, 1,000 rows per call. A refusal marks and selects its cell. */
const useSave = (sheet: Sheet, fields: readonly string[], send: Send, select: (selection: Selection) => void) => {
  const { message } = App.useApp()
  const t = useWords()
  const [isPending, setPending] = useState(false)
  const refuse = ({ details, message: text }: Fault, rows: readonly { Id?: number }[]) => {
    if (details.Fault === 'changedMeanwhile') sheet.forgetStamps()
    const [[place = '', reasons = []] = []] = Object.entries(details.Fields ?? {})
    const [, index, field] = /^Rows\.(\d+)\.(\w+)/.exec(place) ?? []
    message.error(reasons.join(' ') || text)
    if (!field) return
    const added = rows.slice(0, Number(index)).filter((row) => !row.Id).length
    const Id = rows[Number(index)]?.Id ?? sheet.rows.filter((row) => row.Id < 0)[added]?.Id ?? 0
    sheet.refuse(new Map([[Id, { [field]: reasons.join(' ') }]]))
    const to = {
      row: Math.max(
        0,
        sheet.rows.findIndex((row) => row.Id === Id),
      ),
      column: Math.max(0, fields.indexOf(field)),
    }
    select({ from: to, to })
  }
  const saveAll = async () => {
    const all = sheet.changes()
    for (let at = 0; at < all.length; at += mostCellRows) {
      const Rows = all.slice(at, at + mostCellRows)
      const fault = await send(Rows).then(
        () => undefined,
        (error: Fault) => error,
      )
      if (fault) return refuse(fault, Rows)
    }
    sheet.reset()
    message.success(t('sheet.saved', { count: all.length }))
  }
  const save = () => {
    setPending(true)
    void saveAll().finally(() => setPending(false))
  }
  return { save, isPending }
}

/** Finds and replaces a text in the selection, or in all cells if only one is selected. */
const Replace = ({ sheet, block }: { sheet: Sheet; block: ReturnType<typeof blockOf> & { all: boolean } }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [[find, by], set] = useState(['', ''])
  const run = () => {
    const edits = replaceAll(find!, by!, block, sheet.textAt)
    if (edits.length) sheet.edit(edits)
    message.info(t('sheet.replaced', { count: edits.length }))
  }
  return (
    <form
      className="sheet-tools"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <Input aria-label={t('sheet.find')} placeholder={t('sheet.find')} value={find} onChange={(e) => set([e.target.value, by!])} />
      <Input aria-label={t('sheet.by')} placeholder={t('sheet.by')} value={by} onChange={(e) => set([find!, e.target.value])} />
      <Button htmlType="submit" disabled={!find}>
        {t(block.all ? 'sheet.replaceAll' : 'sheet.replaceSelected')}
      </Button>
    </form>
  )
}

type SheetProps = { of: Resource; fixed: Record<string, number>; send: Send; protocol: number | undefined; close: () => void }
/** The points of a device or of a model as a spreadsheet. Nothing is stored before Save. */
const PointSheet = ({ of, fixed, send, protocol, close }: SheetProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const [mayEdit, mayAdd] = [useMay(`${of.permission}.edit`), useMay(`${of.permission}.add`)]
  const [isWide, setWide] = useState(false)
  const [ownOnly, setOwnOnly] = useState(false)
  const [isFinding, setFinding] = useState(false)
  const [selection, select] = useState(start)
  const stored = useRows(of, { PageIndex: 1, PageSize: mostRows, OrderColumn: 'Id', OrderType: 'asc', ...fixed }).data
  const standards = useRows(standardPara, { PageIndex: 1, PageSize: 1000 }, { enabled: useMay('m10120') }).data?.Items ?? none
  const fields = useMemo(() => columnsOf(of, isWide), [of, isWide])
  const sheet = useSheet({ of, stored: stored?.Items ?? none, fields, standards, mayAdd, ownOnly, protocol })
  const beside = useBeside(fixed.DeviceId)
  const { save, isPending } = useSave(sheet, fields, send, select)
  const isDirty = () => sheet.drafts.size > 0
  const leave = useLeaveGuard({ isDirty, close })
  if (!stored) return <Waiting />

  const block = blockOf(selection.from, selection.to)
  const isOne = block.top === block.bottom && block.left === block.right
  const active = sheet.rows[selection.from.row]
  const fault = active && sheet.faultAt(active.Id, fields[selection.from.column]!)
  const fill = (make: (of: typeof block, textAt: Sheet['textAt']) => Edit[]) => sheet.edit(make(block, sheet.textAt))
  const everything = { top: 0, left: 0, bottom: sheet.rows.length - 1, right: fields.length - 1, all: true }
  return (
    <section aria-label={t('sheet.title')} className="stack-tight">
      <div className="sheet-tools">
        <Button type="primary" disabled={!isDirty() || sheet.faultCount > 0} loading={isPending} onClick={save}>
          {t('sheet.save', { count: sheet.drafts.size })}
        </Button>
        <Button
          icon={<UndoOutlined />}
          disabled={!sheet.canUndo}
          onClick={sheet.undo}
          aria-label={t('undo')}
          title={`${t('undo')} (Ctrl+Z)`}
        />
        <Button
          icon={<RedoOutlined />}
          disabled={!sheet.canRedo}
          onClick={sheet.redo}
          aria-label={t('sheet.redo')}
          title={`${t('sheet.redo')} (Ctrl+Y)`}
        />
        <Button disabled={!mayEdit || block.top === block.bottom} onClick={() => fill(fillDown)} title="Ctrl+D">
          {t('sheet.fillDown')}
        </Button>
        <Button disabled={!mayEdit || block.top === block.bottom} onClick={() => fill(series)}>
          {t('sheet.series')}
        </Button>
        <Button icon={<SearchOutlined />} disabled={!mayEdit} aria-expanded={isFinding} onClick={() => setFinding(!isFinding)}>
          {t('sheet.findReplace')}
        </Button>
        {mayAdd && (
          <Button icon={<PlusOutlined />} onClick={sheet.addRow}>
            {t('sheet.addRow')}
          </Button>
        )}
        <Checkbox checked={isWide} onChange={(e) => setWide(e.target.checked)}>
          {t('sheet.allColumns')}
        </Checkbox>
        {'Overrides' in of.fields && (
          <Checkbox checked={ownOnly} onChange={(e) => setOwnOnly(e.target.checked)}>
            {t('sheet.ownOnly')}
          </Checkbox>
        )}
        <Button icon={<CloseOutlined />} className="sheet-close" onClick={leave}>
          {t('sheet.close')}
        </Button>
      </div>
      {isFinding && <Replace sheet={sheet} block={isOne ? everything : { ...block, all: false }} />}
      {stored.TotalCount > mostRows && (
        <Alert type="warning" showIcon title={t('sheet.cut', { max: numberText(mostRows, 0, language()) })} />
      )}
      <SheetGrid {...{ sheet, fields, selection, select, beside }} readOnly={!mayEdit} warn={(text) => void message.warning(text)} />
      <p className="soft sheet-status" aria-live="polite">
        {fault ? (
          <span className="sheet-fault">{fault}</span>
        ) : sheet.faultCount > 0 ? (
          t('sheet.faults', { count: sheet.faultCount })
        ) : (
          t(sheet.rows.length ? 'sheet.help' : 'sheet.empty')
        )}
      </p>
    </section>
  )
}
export default PointSheet
