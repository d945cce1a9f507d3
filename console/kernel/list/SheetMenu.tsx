import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { App, Button, Dropdown, type MenuProps } from 'antd'
import { type ComponentType, useState } from 'react'
import { exportPermission, importPermissions, isImported, isTasked } from '../../../contract/exports.ts'
import type { Resource } from '../../../contract/resource.ts'
import { download, queryString } from '../../session/request.ts'
import { useMay, useSession } from '../../session/session.ts'
import { exportSheet } from '../../shell/exports/sheets.ts'
import { tray } from '../../shell/exports/tray.ts'
import { lazyScreen } from '../../shell/lazyScreen.tsx'
import { useWords } from '../../words/words.ts'
import type { LayoutProps } from './ImportDialog.tsx'
import { toQuery } from './listState.ts'
import type { Arrangement } from './useArrangement.ts'

const ImportDialog = lazyScreen(() => import('./ImportDialog.tsx'), null)

export type SheetProps = {
  of: Resource
  arrangement: Pick<Arrangement, 'state' | 'fixed' | 'all' | 'columns'>
  /** Exports from this browser's data instead of the server's. */
  exportNow?: (() => Promise<void>) | undefined
  /** An option of the import, by its name in the call. */
  importOption?: { name: string; label: string } | undefined
  /** Asks how to read files of other programs. */
  layout?: ComponentType<LayoutProps> | undefined
  /** Asks something before an export starts. */
  asksExport?: ComponentType<{ start: () => void; close: () => void }> | undefined
  /** Fields that the import preview shows of a new row. */
  brief?: readonly string[] | undefined
  /** Also shows an import button, for empty lists; null hides import altogether. */
  isEmpty?: boolean | null | undefined
}

/** Export of the filtered list in its order, and import of a sheet. */
export const SheetMenu = ({ of: r, arrangement, exportNow, importOption, layout, asksExport: Asks, brief, isEmpty }: SheetProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const [importing, setImporting] = useState(false)
  const [asked, ask] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [tasked, own] = [isTasked(r), r.sheets === 'own']
  const mayExport = useMay(exportPermission(r)) && (tasked || own)
  const mayWrite = useSession((s) => importPermissions(r).every((code) => s.session?.codes.has(code)))
  const mayImport = mayWrite && isEmpty !== null && (isImported(r) || own)

  const now = async (save: () => Promise<void>) => {
    setBusy(true)
    await save().catch((error: Error) => message.error(error.message))
    setBusy(false)
  }
  const take = (key: string) => {
    const [Format, all] = [key === 'csv' ? key : 'xlsx', key === 'all'] as const
    const { PageIndex, PageSize, Cursor, ...Query } = toQuery(r, arrangement.state, arrangement.fixed)
    const Fields = (all ? arrangement.all : arrangement.columns).map((c) => c.Field).filter((name) => name in r.fields)
    // Some lists have an export call of their own, which answers with the file.
    if (!tasked)
      return now(() => download(`${r.path}/Output${queryString({ ...Query, Fields: Fields.join(','), Format })}`, `${r.name}.${Format}`))
    return now(() => exportSheet({ Resource: r.name, Format, Fields, Query }))
  }
  const items: MenuProps['items'] = exportNow
    ? [{ key: 'now', label: t('list.exportCsv') }]
    : [
        ...(mayExport
          ? [
              { key: 'xlsx', label: t('list.exportXlsx') },
              { key: 'csv', label: t('list.exportCsv') },
              { key: 'all', label: t('list.exportAll') },
            ]
          : []),
        ...(mayImport ? [{ type: 'divider' as const }, { key: 'import', label: t('list.import') }] : []),
        ...(mayExport && tasked ? [{ type: 'divider' as const }, { key: 'tasks', label: t('exports.title') }] : []),
      ]
  if (!items.length) return null
  const act: Record<string, () => void> = {
    now: () => void (exportNow && now(exportNow)),
    import: () => setImporting(true),
    tasks: tray.open,
  }
  const choose = (key: string) => (key in act ? act[key]!() : Asks ? ask(key) : void take(key))
  return (
    <>
      {isEmpty && mayImport && (
        <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
          {t('import.do')}
        </Button>
      )}
      <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: ({ key }) => choose(key) }}>
        <Button
          icon={<DownloadOutlined />}
          loading={busy}
          aria-label={t('list.export')}
          title={t(mayImport ? 'list.sheet' : 'list.export')}
        />
      </Dropdown>
      {Asks && asked && <Asks start={() => take(asked)} close={() => ask(undefined)} />}
      {importing && (
        <ImportDialog {...{ of: r, fixed: arrangement.fixed, option: importOption, layout, brief }} close={() => setImporting(false)} />
      )}
    </>
  )
}
