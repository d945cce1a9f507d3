import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import { useState } from 'react'
import { exportedResources } from '../../contract/areas/exports.ts'
import type { Resource } from '../../contract/base/resource.ts'
import { download, queryString } from '../session/request.ts'
import { usePhone } from '../theme/useWidth.ts'
import { useWords } from '../words/words.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { toQuery } from './listState.ts'
import { SavedViews } from './SavedViews.tsx'
import type { Arrangement } from './useArrangement.ts'

/** What is filtered, in its order and with the columns shown, as a file. */
const ExportMenu = ({ of: r, arrangement }: { of: Resource; arrangement: Arrangement }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const take = async (Format: string) => {
    setBusy(true)
    const { PageIndex, PageSize, ...query } = toQuery(r, arrangement.state, arrangement.fixed)
    const Fields = arrangement.columns.map((c) => c.Field).join(',')
    try {
      await download(`${r.path}/Output${queryString({ ...query, Fields, Format })}`, `${r.name}.${Format}`)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'xlsx', label: t('list.exportXlsx') },
          { key: 'csv', label: t('list.exportCsv') },
        ],
        onClick: ({ key }) => void take(key),
      }}
    >
      <Button icon={<DownloadOutlined />} loading={busy} aria-label={t('list.export')} title={t('list.export')} />
    </Dropdown>
  )
}

/** The person's own views and columns of a list, and the way out. */
export const ListTools = ({ of: r, arrangement }: { of: Resource; arrangement: Arrangement }) => {
  const phone = usePhone()
  const { preference, change, all, view, show } = arrangement
  return (
    <>
      <SavedViews views={preference.Views} current={view} show={show} change={(Views) => change({ Views })} />
      {exportedResources.includes(r.name) && <ExportMenu of={r} arrangement={arrangement} />}
      {!phone && <ColumnChooser of={r} all={all} rowHeight={preference.RowHeight} change={change} />}
    </>
  )
}
