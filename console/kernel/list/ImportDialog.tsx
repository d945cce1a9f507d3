import { InboxOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Modal, Table, Upload } from 'antd'
import { type ComponentType, useState } from 'react'
import type { Details } from '../../../contract/call.ts'
import { exportLimits } from '../../../contract/exportLimits.ts'
import { type Imported, importCalls } from '../../../contract/exports.ts'
import type { Resource } from '../../../contract/resource.ts'
import { CompanyChoice, useCompanyChoice } from '../../session/CompanyChoice.tsx'
import { download, type Fault, queryString, request } from '../../session/request.ts'
import { ImportProgress, TaskChoice, useImportTask } from '../../shell/exports/ImportTask.tsx'
import { hasWords, language, lower, useWords, type Words } from '../../words/words.ts'
import { invalidate } from '../api.ts'
import { Cell } from '../fields.tsx'

type RowFault = NonNullable<Details['Rows']>[number]
type Preview = Imported['Preview'][number]
export type LayoutProps = {
  file: File
  fixed: Record<string, string | number>
  /** The answer to the preview. */
  preview: Imported | undefined
  /** Previews with what the call needs to read the file; undefined waits for another choice. */
  read: (query: Record<string, string | number> | undefined) => void
}
type Props = {
  of: Resource
  fixed: Record<string, string | number>
  option?: { name: string; label: string } | undefined
  layout?: ComponentType<LayoutProps> | undefined
  /** Fields that identify a row for people. */
  brief?: readonly string[] | undefined
  /** Imports as a task unless the person decides otherwise. */
  asTask?: boolean
  close: () => void
}

const nameIn = (r: Resource, t: Words) => (field: string) => (hasWords(`${r.name}.${field}`) ? t(`${r.name}.${field}`) : field)
/** Values shown per row before More. */
const mostShown = 4

/** Sums up a row in a line: the identifying fields of a new one, the changes of an existing one. */
const Changes = ({ of: r, row: p, brief }: { of: Resource; row: Preview; brief: readonly string[] | undefined }) => {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  const nameOf = nameIn(r, t)
  const isUpdate = p.Verb === 'update'
  const value = (Field: string, of: unknown) => <Cell of={r} field={Field} row={{ [Field]: of }} />
  const fields = p.Fields.filter(({ Field, After }) => Field !== r.title && (isUpdate || After !== null))
  const first = isUpdate || !brief ? fields.slice(0, mostShown) : fields.filter(({ Field }) => brief.includes(Field))
  const more = fields.length - first.length
  return (
    <span className="import-values">
      {(isOpen ? fields : first).map((f) => (
        <span key={f.Field}>
          {(isUpdate || isOpen || !brief) && <span className="soft">{nameOf(f.Field)}: </span>}
          {isUpdate && <>{value(f.Field, f.Before)} → </>}
          {value(f.Field, f.After)}
        </span>
      ))}
      {more > 0 && !isOpen && (
        <Button type="link" size="small" onClick={() => setOpen(true)}>
          {t('import.more', { count: more })}
        </Button>
      )}
    </span>
  )
}

const FaultTable = ({ of: r, rows }: { of: Resource; rows: RowFault[] }) => {
  const t = useWords()
  const nameOf = nameIn(r, t)
  return (
    <Table<RowFault>
      size="small"
      rowKey={(row) => `${row.Row}-${row.Field}-${row.Message}`}
      dataSource={rows}
      pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      columns={[
        {
          key: 'cell',
          title: t('sheet.cell'),
          width: 80,
          render: (_, row) => <span className="figures">{row.Cell ?? row.Row}</span>,
        },
        { key: 'field', title: t('sheet.field'), render: (_, row) => nameOf(row.Field) },
        { key: 'value', title: t('sheet.value'), dataIndex: 'Value', className: 'mono' },
        { key: 'message', title: t('sheet.reason'), dataIndex: 'Message' },
      ]}
    />
  )
}

const PreviewTable = ({ of: r, rows, brief }: { of: Resource; rows: Preview[]; brief: Props['brief'] }) => {
  const t = useWords()
  return (
    <Table<Preview>
      size="small"
      rowKey="Row"
      dataSource={rows}
      // In narrower columns, values would wrap after each word.
      scroll={{ x: 480 }}
      pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      columns={[
        {
          key: 'row',
          title: t('sheet.row'),
          align: 'right',
          width: 80,
          render: (_, p) => <span className="figures">{p.Row}</span>,
        },
        { key: 'verb', title: t('import.verb'), width: 130, render: (_, p) => t(`import.verb.${p.Verb}`) },
        { key: 'title', title: t(`${r.name}.${r.title}`), dataIndex: 'Title' },
        { key: 'fields', title: t('import.changes'), render: (_, p) => <Changes of={r} row={p} brief={brief} /> },
      ]}
    />
  )
}

const counts = (c: Imported) => ({
  added: c.Added.toLocaleString(language()),
  changed: c.Changed.toLocaleString(language()),
  unchanged: c.Unchanged.toLocaleString(language()),
})

type Asked = Record<string, string | number | undefined>
/** A sheet that is chosen, previewed and imported. `asked` goes with each call. */
const useImport = ({ of: r, close }: Pick<Props, 'of' | 'close'>, task: ReturnType<typeof useImportTask>, asked: Asked) => {
  const t = useWords()
  const client = useQueryClient()
  const { message } = App.useApp()
  const [file, setFile] = useState<File>()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [preview, setPreview] = useState<Imported>()
  const send = async (sheet: File, Preview: 0 | 1, layout: Asked = {}) => {
    setBusy(true)
    setFault(undefined)
    const call = `${importCalls(r).import.path}${queryString({ ...asked, ...layout, Preview, ...(!Preview && task.query) })}`
    const form = new FormData()
    form.append('file', sheet)
    try {
      const answer = await request<Imported>('POST', call, form)
      if (Preview) setPreview(answer)
      else if (answer.TaskId) task.start(answer.TaskId)
      else {
        await invalidate(client, [r.name])
        message.success(t('import.done', counts(answer)))
        return close()
      }
    } catch (error) {
      setFault(error as Fault)
    }
    setBusy(false)
  }
  const choose = (sheet?: File) => {
    setFile(sheet)
    setPreview(undefined)
    setFault(undefined)
  }
  return { file, busy, fault, preview, send, choose }
}

/** Imports a sheet, all or nothing. A preview shows the changes, or the errors by row and column. */
const ImportDialog = ({ of: r, fixed, option, layout: Layout, brief, asTask = false, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [chosen, setChosen] = useState(false)
  const [query, setQuery] = useState<Record<string, string | number>>()
  const task = useImportTask(r, asTask)
  const owner = r.fields[r.owner]?.kind === 'ref' && r.owner in fixed ? { [r.owner]: fixed[r.owner] } : {}

  const company = useCompanyChoice(r, Object.keys(owner).length > 0)
  const asked = { EnterpriseId: company.chosen, ...owner, ...(option && chosen && { [option.name]: 1 }) }
  const { file, busy, fault, preview, send, choose } = useImport({ of: r, close }, task, asked)
  const rows = fault?.details.Rows ?? []

  const take = (sheet: File) => {
    choose(sheet)
    if (!Layout) void send(sheet, 1)
  }
  const readAs: LayoutProps['read'] = (layout) => {
    setQuery(layout)
    choose(file)
    if (layout && file) void send(file, 1, layout)
  }
  const template = (Format: string) =>
    download(`${importCalls(r).template.path}${queryString({ Format })}`, `${r.name}.${Format}`).catch((e: Error) =>
      message.error(e.message),
    )
  const works = preview && preview.Added + preview.Changed > 0
  if (task.started) return <ImportProgress of={r} task={task.started} close={close} />

  return (
    <Modal
      open
      width={rows.length || preview || (Layout && file) ? 760 : 560}
      title={t('import.title', { thing: lower(t(r.name)) })}
      onCancel={close}
      className="import-dialog"
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" disabled={!works || !file} loading={busy && Boolean(preview)} onClick={() => file && send(file, 0, query)}>
            {t('import.do')}
          </Button>
        </>
      }
    >
      <div className="stack" aria-live="polite">
        <p className="soft">
          {t(task.isTask ? 'import.text.task' : 'import.text', { max: exportLimits.importRows.toLocaleString(language()) })}
          {Layout && ` ${t('import.other')}`}
        </p>
        <p>
          {t('import.template')}{' '}
          <Button type="link" size="small" onClick={() => template('xlsx')}>
            .xlsx
          </Button>
          <Button type="link" size="small" onClick={() => template('csv')}>
            .csv
          </Button>
        </p>
        <CompanyChoice of={company} disabled={busy} changed={() => choose()} />
        {option && !(Layout && file && !(query && !query.Layout)) && (
          <Checkbox
            checked={chosen}
            disabled={busy}
            onChange={(e) => {
              setChosen(e.target.checked)
              choose()
            }}
          >
            {option.label}
          </Checkbox>
        )}
        <Upload.Dragger
          accept={Layout ? '.xlsx,.csv,.json' : '.xlsx,.csv'}
          showUploadList={false}
          disabled={busy || company.isMissing}
          beforeUpload={(sheet) => {
            take(sheet)
            return false
          }}
        >
          {!preview && !fault && (
            <p>
              <InboxOutlined style={{ fontSize: 28 }} />
            </p>
          )}
          <p>{busy && file ? t('import.reading', { name: file.name }) : (file?.name ?? t('import.drop'))}</p>
        </Upload.Dragger>
        {Layout && file && <Layout key={`${file.name}/${file.lastModified}`} {...{ file, fixed, preview }} read={readAs} />}
        {fault && (
          <Alert
            type="error"
            showIcon
            role="alert"
            title={
              Object.values(fault.details.Fields ?? {})
                .flat()
                .join(' ') || fault.message
            }
          />
        )}
        {rows.length > 0 && <FaultTable of={r} rows={rows} />}
        {preview && !fault && (
          <>
            <Alert type="info" showIcon title={t(works ? 'import.would' : 'import.nothing', counts(preview))} />
            {works && <TaskChoice of={task} preview={preview} disabled={busy} />}
            {works && <PreviewTable of={r} rows={preview.Preview} brief={brief} />}
          </>
        )}
      </div>
    </Modal>
  )
}
export default ImportDialog
