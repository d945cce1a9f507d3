import { Alert, Button, Form, InputNumber, Select, Table } from 'antd'
import { useEffect, useState } from 'react'
import type { LayoutProps } from '../../../../console/kernel/list/ImportDialog.tsx'
import { type Fault, queryString, request } from '../../../../console/session/request.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { type Imported, layouts, wordOrders } from '../../../../contract/exports.ts'
import { pointFields } from '../../../../contract/point-fields.ts'
import { pointCalls } from '../contract.ts'

type Layout = Answer<typeof pointCalls.layout>
type Choices = { columns: string[]; order: string | null; style: number; unit: number; source: string | undefined }
const fields = Object.entries(pointFields).flatMap(([name, f]) => (f.set || name === 'DeviceId' ? [] : [name]))
const isSheet = (of: Layout) => of.Layout === layouts.sheet

/** What the import call needs to read the file; undefined while a choice is missing. */
const queryOf = (of: Layout, { columns, order, style, unit, source }: Choices) => {
  if (isSheet(of) && !['ParaName', 'Address'].every((name) => columns.includes(name))) return undefined
  if ((of.AsksWordOrder && !order) || (of.Sources.length > 1 && !source)) return undefined
  return {
    ...{ Layout: of.Layout, SlaveNumber: unit },
    ...(isSheet(of) && { Columns: columns.join(','), AddressStyle: style }),
    ...(order && { WordOrder: order }),
    ...(source && { Source: source }),
  }
}

/** The rows that cannot be translated, with their reasons. */
const LeftOut = ({ LeftOut = [], LeftOutCount = 0 }: Imported) => {
  const t = useWords()
  if (!LeftOutCount) return null
  const more = LeftOutCount > LeftOut.length ? ` ${t('layout.leftOutMore', { count: LeftOut.length })}` : ''
  return (
    <>
      <Alert type="warning" showIcon title={`${t('layout.leftOut', { count: LeftOutCount })}${more}`} />
      <Table
        size="small"
        rowKey="Row"
        dataSource={LeftOut}
        scroll={{ x: 480 }}
        pagination={{ pageSize: 5, hideOnSinglePage: true, showSizeChanger: false }}
        columns={[
          { key: 'row', title: t('sheet.row'), dataIndex: 'Row', align: 'right', width: 70 },
          { key: 'column', title: t('layout.column'), dataIndex: 'Column', width: 150 },
          { key: 'value', title: t('sheet.value'), dataIndex: 'Value', className: 'mono', width: 150 },
          { key: 'reason', title: t('sheet.reason'), dataIndex: 'Message' },
        ]}
      />
    </>
  )
}

/** Maps the columns of a sheet to fields. Each field is offered once. */
const Columns = ({ of, columns, change }: { of: Layout; columns: string[]; change: (columns: string[]) => void }) => {
  const t = useWords()
  const optionsFor = (own: string) => [
    { value: '', label: t('layout.skip') },
    ...fields
      .filter((name) => name === own || !columns.includes(name))
      .map((name) => ({ value: name, label: `${t(`point.${name}`)}${['ParaName', 'Address'].includes(name) ? ' *' : ''}` })),
  ]
  return (
    <Table
      size="small"
      rowKey="at"
      dataSource={of.Columns.map((column, at) => ({ ...column, at }))}
      pagination={false}
      scroll={{ y: 260 }}
      columns={[
        {
          key: 'title',
          title: t('layout.column'),
          render: (_, { Title, Samples }) => (
            <>
              {Title}
              <div className="soft wrap">{Samples.join(', ')}</div>
            </>
          ),
        },
        {
          key: 'field',
          title: t('layout.field'),
          width: '55%',
          render: (_, { at, Title }) => (
            <Select
              size="small"
              showSearch={{ optionFilterProp: 'label' }}
              style={{ width: '100%' }}
              aria-label={t('layout.fieldOf', { column: Title })}
              value={columns[at] ?? ''}
              options={optionsFor(columns[at] ?? '')}
              onChange={(name) => change(columns.with(at, name))}
            />
          ),
        },
      ]}
    />
  )
}

/** Recognises the file of another program, requests missing choices, and previews it. Our own sheets are previewed directly. */
export const LayoutStep = ({ file, fixed, preview, read }: LayoutProps) => {
  const t = useWords()
  const [of, setLayout] = useState<Layout>()
  const [fault, setFault] = useState<Fault>()
  const [choices, setChoices] = useState<Choices>({ columns: [], order: null, style: 0, unit: 1, source: undefined })
  useEffect(() => {
    const form = new FormData()
    form.append('file', file)
    request<Layout>('POST', `${pointCalls.layout.path}${queryString({ DeviceId: fixed.DeviceId })}`, form).then((found) => {
      setLayout(found)
      const { AddressStyle: style, WordOrder: order, SlaveNumber: unit } = found
      setChoices({ columns: found.Columns.map(({ Field }) => Field), order, style, unit, source: undefined })
      if (found.Layout === layouts.own) read({})
    }, setFault)
  }, [file])
  const change = (some: Partial<Choices>) => {
    setChoices({ ...choices, ...some })
    read(undefined)
  }
  if (fault) return <Alert type="error" showIcon role="alert" title={fault.message} />
  if (!of) return <Waiting />
  if (of.Layout === layouts.own) return null
  const query = queryOf(of, choices)
  const hasUnit = of.Layout !== layouts.thingsBoard && !choices.columns.includes('SlaveNumber')
  return (
    <>
      <Alert type="info" showIcon title={`${t(`layout.is.${of.Layout}`)}${of.Remembered ? ` ${t('layout.remembered')}` : ''}`} />
      {isSheet(of) && <Columns of={of} columns={choices.columns} change={(columns) => change({ columns })} />}
      <Form layout="vertical" className="layout-choices" requiredMark={false}>
        {of.Sources.length > 1 && (
          <Form.Item label={t('layout.source')} htmlFor="layout-source">
            <Select
              id="layout-source"
              value={choices.source}
              placeholder={t('layout.source.choose')}
              options={of.Sources.map(({ Name, Points }) => ({ value: Name, label: t('layout.sourceOf', { name: Name, count: Points }) }))}
              onChange={(source) => change({ source })}
            />
          </Form.Item>
        )}
        {isSheet(of) && (
          <Form.Item label={t('layout.style')} htmlFor="layout-style">
            <Select
              id="layout-style"
              value={choices.style}
              options={[0, 1, 2].map((value) => ({ value, label: t(`layout.style.${value}`) }))}
              onChange={(style) => change({ style })}
            />
          </Form.Item>
        )}
        {(isSheet(of) || of.AsksWordOrder === 1) && (
          <Form.Item label={t('layout.order')} htmlFor="layout-order">
            <Select
              id="layout-order"
              value={choices.order}
              placeholder={t('layout.order.choose')}
              options={wordOrders.map((value) => ({ value, label: value }))}
              onChange={(order) => change({ order })}
            />
          </Form.Item>
        )}
        {hasUnit && (
          <Form.Item label={t('layout.unit')} htmlFor="layout-unit">
            <InputNumber id="layout-unit" min={1} max={255} value={choices.unit} onChange={(unit) => change({ unit: unit ?? 1 })} />
          </Form.Item>
        )}
      </Form>
      {!preview && (
        <p>
          <Button type="primary" disabled={!query} onClick={() => read(query)}>
            {t('layout.preview')}
          </Button>
        </p>
      )}
      {preview && <LeftOut {...preview} />}
    </>
  )
}
