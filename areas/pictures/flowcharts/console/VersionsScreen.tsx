import { App, Button, Table } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCall, useCommand, useRow } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { flowchart, flowchartCalls, type HistoryRow } from '../contract.ts'
import { useChanges } from './useChanges.ts'

const size = 20
/** Published versions of a picture, with the changes in each. */
const VersionsScreen = () => {
  const t = useWords()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const edits = useMay('m10130.edit')
  const changes = useChanges()
  const id = Number(useSearchParams()[0].get('Id') ?? 0)
  const [index, setIndex] = useState(1)
  const { data: chart, error } = useRow(flowchart, id || undefined)
  const { data } = useCall(flowchartCalls.history, {
    query: { Id: id, PageIndex: index, PageSize: size },
    of: [flowchart.name],
    enabled: id > 0,
  })
  const restore = useCommand(flowchartCalls.restore, [flowchart.name])
  if (!id) return <EmptyList text={t('pictures.chooseFirst')} />
  if (error) return <Failure fault={error} />
  const ask = (version: number) =>
    confirm({
      title: t('pictures.restoreAsk', { version }),
      content: t('pictures.restoreText'),
      okText: t('pictures.restore'),
      danger: false,
      run: async () => {
        await restore.mutateAsync({ body: { Id: id, Version: version } })
        message.success(t('pictures.restored', { version }))
      },
    })
  return (
    <Page title={chart ? t('pictures.versionsOf', { name: chart.FlowchartName }) : t('menu.m10132')}>
      <Table<HistoryRow>
        rowKey="Version"
        size="small"
        dataSource={(data?.Items ?? []) as HistoryRow[]}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: t('pictures.noVersions') }}
        pagination={{ current: index, pageSize: size, total: data?.TotalCount ?? 0, hideOnSinglePage: true, onChange: setIndex }}
        columns={[
          { key: 'version', title: t('flowchart.Version'), dataIndex: 'Version', align: 'right' },
          { key: 'time', title: t('pictures.when'), dataIndex: 'PublishTime' },
          { key: 'who', title: t('pictures.who'), dataIndex: 'UserName' },
          { key: 'changes', title: t('pictures.changes'), render: (_, row) => changes(row.Changes) },
          { key: 'note', title: t('pictures.note'), dataIndex: 'Note' },
          {
            key: 'acts',
            render: (_, row) =>
              edits && (
                <>
                  <Link to={`/projectDetailsManagement/preview?id=${id}&version=${row.Version}`}>{t('pictures.look')}</Link>{' '}
                  <Button size="small" onClick={() => ask(row.Version)}>
                    {t('pictures.restore')}
                  </Button>
                </>
              ),
          },
        ]}
      />
    </Page>
  )
}
export default VersionsScreen
