import { ArrowUpOutlined, DeleteOutlined, ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { App, Button, Flex, Input, Select, Upload } from 'antd'
import { useDeferredValue } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { flowchart } from '../../../pictures/flowcharts/contract.ts'
import { type About, missingOf } from '../about.ts'
import { type Block, blockPoints, blockTypes, choosesPoints, placeholders, unitsOf } from '../blocks.ts'
import { mostBlocks, readyNames, readyReports, reportCalls, type wholePeriods } from '../contract.ts'
import { aboutCell, aboutIn, refineAbout } from './aboutLooks.tsx'
import { ReportView } from './ReportView.tsx'
import './reports.css'
import { blocksIn } from './templateFile.ts'

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** Changes its kind, and leaves out what the new one does not have. */
const as = (Type: Block['Type'], { Title, Text, Points, Unit, Flowchart }: Block): Block => ({
  Type,
  ...(Title && Type !== 'pageBreak' ? { Title } : {}),
  ...(Type === 'text' ? { Text: Text ?? '' } : {}),
  ...(Points && choosesPoints(Type) ? { Points } : {}),
  ...(Flowchart && Type === 'picture' ? { Flowchart } : {}),
  ...(Unit && unitsOf(Type).includes(Unit) ? { Unit } : {}),
})

const BlockLine = ({ block, change }: { block: Block; change: (next: Block) => void }) => {
  const t = useWords()
  const units = unitsOf(block.Type)
  return (
    <>
      <Select
        value={block.Type}
        aria-label={t('reportTemplate.part')}
        options={blockTypes.map((value) => ({ value, label: t(`report.block.${value}`) }))}
        onChange={(Type) => change(as(Type, block))}
        popupMatchSelectWidth={false}
      />
      {choosesPoints(block.Type) && (
        <Select
          value={block.Points ?? 'all'}
          aria-label={t('reportTemplate.points')}
          options={blockPoints.map((value) => ({ value, label: t(`reportTemplate.points.${value}`) }))}
          onChange={(Points) => change({ ...block, Points })}
          popupMatchSelectWidth={false}
        />
      )}
      {units.length > 0 && (
        <Select
          value={block.Unit ?? 'day'}
          aria-label={t('reportTemplate.unit')}
          options={units.map((value) => ({ value, label: t(`reportTemplate.unit.${value}`) }))}
          onChange={(Unit) => change({ ...block, Unit })}
          popupMatchSelectWidth={false}
        />
      )}
      {block.Type === 'picture' && (
        <RefInput
          to={flowchart}
          value={block.Flowchart ?? null}
          where={{ State: 1 }}
          placeholder={t('reportTemplate.picture')}
          aria-label={t('reportTemplate.picture')}
          onChange={(Flowchart) => change({ ...block, Flowchart: Flowchart ?? undefined })}
        />
      )}
      {block.Type !== 'pageBreak' && (
        <Input
          value={block.Title ?? ''}
          maxLength={100}
          placeholder={t('reportTemplate.ownTitle')}
          aria-label={t('reportTemplate.ownTitle')}
          onChange={({ target }) => change({ ...block, ...(target.value ? { Title: target.value } : { Title: undefined }) })}
        />
      )}
      {block.Type === 'text' && (
        <Input.TextArea
          value={block.Text ?? ''}
          maxLength={4000}
          autoSize={{ minRows: 2, maxRows: 8 }}
          aria-label={t('report.block.text')}
          onChange={({ target }) => change({ ...block, Text: target.value })}
        />
      )}
    </>
  )
}

/** Takes the parts of a template that was exported somewhere. */
const TakeOver = ({ take }: { take: (blocks: Block[]) => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const read = (file: File) => {
    void file.text().then((text) => {
      const blocks = blocksIn(text)
      if (blocks) take(blocks)
      else message.error(t('reportTemplate.notTemplate'))
    })
    // It is not sent anywhere.
    return false
  }
  return (
    <Upload accept=".json,application/json" showUploadList={false} beforeUpload={read}>
      <Button icon={<ImportOutlined />}>{t('reportTemplate.takeOver')}</Button>
    </Upload>
  )
}

/** The parts of a report in their order, to begin with from one that comes with the product. */
const BlocksInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const blocks = (Array.isArray(value) ? value : []) as Block[]
  const up = (i: number) => onChange?.(blocks.map((b, k) => (k === i - 1 ? blocks[i]! : k === i ? blocks[i - 1]! : b)))
  return (
    <Flex vertical gap={8} id={id}>
      <Select
        value={null}
        placeholder={t('reportTemplate.startFrom')}
        aria-label={t('reportTemplate.startFrom')}
        options={readyNames.map((name) => ({ value: name, label: t(`report.ready.${name}`) }))}
        onChange={(name: keyof typeof readyReports | null) => name && onChange?.([...readyReports[name]])}
        style={{ width: '100%' }}
      />
      {blocks.map((block, i) => (
        <div key={i} className="report-block">
          <Button type="text" icon={<ArrowUpOutlined />} disabled={i === 0} onClick={() => up(i)} aria-label={t('group.up')} />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('reportTemplate.removePart')}
            onClick={() => onChange?.(blocks.filter((_, k) => k !== i))}
          />
          <BlockLine block={block} change={(next) => onChange?.(blocks.map((b, k) => (k === i ? next : b)))} />
        </div>
      ))}
      {blocks.length > 0 && (
        <p className="soft">{t('reportTemplate.placeholders', { known: placeholders.map((name) => `{${name}}`).join(' ') })}</p>
      )}
      <Flex gap={8} wrap>
        <Button
          type="dashed"
          icon={<PlusOutlined />}
          disabled={blocks.length >= mostBlocks}
          onClick={() => onChange?.([...blocks, { Type: 'keyFigures' }])}
        >
          {t('reportTemplate.addPart')}
        </Button>
        <TakeOver take={(taken) => onChange?.(taken)} />
      </Flex>
    </Flex>
  )
}

type Given = Record<string, unknown>
type Asked = [About, (typeof wholePeriods)[number], string | null, Block[] | null]
/** A refusal, with the parts that it is about. */
const Refused = ({ error, blocks }: { error: Fault; blocks: readonly Block[] }) => {
  const t = useWords()
  const parts = Object.entries(error.details.Fields ?? {}).flatMap(([field, texts]) => {
    const at = Number(/^Blocks\.(\d+)\./.exec(field)?.[1] ?? Number.NaN)
    const block = blocks[at]
    return block ? [`${at + 1}. ${block.Title || t(`report.block.${block.Type}`)}: ${texts.join(' ')}`] : texts
  })
  return <p role="alert">{parts.join(' ') || error.message}</p>
}

/** What the report comes to, of the last whole period; it follows the form. */
const Preview = ({ given }: { given: Given }) => {
  const t = useWords()
  const asked = useDeferredValue(JSON.stringify([aboutIn(given), given.Period, given.Heading || given.TemplateName, given.Blocks]))
  const [about, Period, Heading, Blocks] = JSON.parse(asked) as Asked
  const whole = (Blocks ?? []).filter(({ Type, Text, Flowchart }) => (Type === 'text' ? Text?.trim() : Type !== 'picture' || Flowchart))
  const isChosen = missingOf(about).length === 0
  const { data, error, isFetching } = useCall(reportCalls.preview, {
    body: { ...about, Period, Blocks: whole, Language: language(), ...(Heading ? { Heading } : {}) },
    of: ['reportGroup', 'point'],
    enabled: isChosen && whole.length > 0,
  })
  if (!isChosen || !whole.length) return <p className="soft">{t('reportTemplate.choose')}</p>
  return (
    <>
      <h4>{t('reportTemplate.preview')}</h4>
      {error && <Refused error={error} blocks={whole} />}
      {data && (
        <div aria-busy={isFetching}>
          <ReportView report={data} />
        </div>
      )}
    </>
  )
}

export { saveTemplate } from './templateFile.ts'
export const inputs: FormProps['inputs'] = { Blocks: BlocksInput }
export const refine: FormProps['refine'] = refineAbout
export const below: FormProps['below'] = (values, row) => <Preview given={{ ...row, ...values }} />
export const cells = {
  About: aboutCell,
  Blocks: ({ Blocks }: { Blocks: readonly Block[] }, t: ReturnType<typeof useWords>) =>
    Blocks.map(({ Type, Title }) => Title || t(`report.block.${Type}`)).join(', '),
}
