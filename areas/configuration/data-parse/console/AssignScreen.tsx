import './dataParse.css'
import { DeleteOutlined } from '@ant-design/icons'
import { App, Button, Table } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Shown, useCall, useCommand, useRow } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Page as Rows } from '../../../../contract/call.ts'
import { type Links, linkCalls, linkField } from '../../../../contract/links.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { dataParse } from '../contract.ts'

type Row = Shown<Resource>
const quiet = { meta: { quiet: true } }
const pageSize = 20

/** Records that use a parser: list, add, remove. */
const Assigned = ({ of: l, id, columns }: { of: Links; id: number; columns: readonly string[] }) => {
  const t = useWords()
  const { message } = App.useApp()
  const may = useMay(`${dataParse.permission}.assign`)
  const [page, turn] = useState(1)
  const [chosen, choose] = useState<number[]>([])
  const calls = linkCalls(l)
  const query = { DataParseId: id, PageIndex: page, PageSize: pageSize }
  const { data, error, refetch } = useCall(calls.list, { query, of: [dataParse.name, l.to.name] })
  const [add, remove] = [useCommand(calls.add, [dataParse.name], quiet), useCommand(calls.remove, [dataParse.name], quiet)]
  const parser = useRow(dataParse, id).data
  const others = `${linkField(l.to)}s`
  const body = (ids: readonly number[]) => ({ body: { DataParseId: id, [others]: [...ids] } }) as never
  const assign = () =>
    add.mutate(body(chosen), {
      onSuccess: () => {
        message.success(t('dataParse.assigned', { count: chosen.length }))
        choose([])
      },
    })
  const failed = add.error ?? remove.error
  const holders = (add.error?.details.UsedBy ?? []).map(({ Title }) => Title)
  const rows = data as Rows<Row> | undefined
  return (
    <div className="stack">
      <p className="soft">{t('dataParse.nearest')}</p>
      {may && (
        <div className="parse-assign">
          <RefsInput
            to={l.to}
            value={chosen}
            onChange={choose}
            where={{ EnterpriseId: parser?.EnterpriseId }}
            placeholder={t(`dataParse.${others}`)}
            aria-label={t(`dataParse.${others}`)}
          />
          <Button type="primary" disabled={!chosen.length} loading={add.isPending} onClick={assign}>
            {t('dataParse.assign')}
          </Button>
        </div>
      )}
      {failed && (
        <div role="alert" className="state state-warning">
          {holders.length ? t('dataParse.taken', { names: holders.join(', ') }) : failed.message}
        </div>
      )}
      {error && !rows && <Failure fault={error} retry={() => refetch()} />}
      {rows && !rows.TotalCount && <EmptyList text={t(`dataParse.none.${l.to.name}`)} />}
      {rows !== undefined && rows.TotalCount > 0 && (
        <Table<Row>
          size="small"
          rowKey="Id"
          dataSource={rows.Items}
          scroll={{ x: 'max-content' }}
          pagination={{ current: page, pageSize, total: rows.TotalCount, onChange: turn, hideOnSinglePage: true }}
          columns={[
            ...columns.map((field) => ({
              key: field,
              title: t(`${l.to.name}.${field}`),
              render: (_: unknown, row: Row) => <Cell of={l.to} field={field} row={row} />,
            })),
            ...(may
              ? [
                  {
                    key: 'remove',
                    align: 'right' as const,
                    render: (_: unknown, row: Row) => (
                      <Button
                        type="text"
                        icon={<DeleteOutlined />}
                        aria-label={`${t('dataParse.unassign')}: ${String((row as Record<string, unknown>)[l.to.title])}`}
                        title={t('dataParse.unassign')}
                        onClick={() => remove.mutate(body([row.Id]))}
                      />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </div>
  )
}

/** Screen of one kind of assignment; the URL contains the parser. */
export const assignScreen = (l: Links, columns: readonly string[]) => {
  const title = { project: 'm10505', gateway: 'm10506', device: 'm10507' }[l.to.name]!
  const AssignScreen = () => {
    const t = useWords()
    const [params, setParams] = useSearchParams()
    const id = Number(params.get('DataParseId')) || null
    const back = id && <Link to={`/protocolManagement/dataParse?Id=${id}`}>{t('dataParse.open')}</Link>
    return (
      <Page
        title={t(`menu.${title}`)}
        actions={
          <>
            {back}
            <RefInput
              to={dataParse}
              value={id}
              onChange={(next) => setParams(next ? { DataParseId: String(next) } : {}, { replace: true })}
              placeholder={t('dataParse.choose')}
              aria-label={t('dataParse.choose')}
              allowClear={false}
              style={{ width: 240 }}
            />
          </>
        }
      >
        {id ? <Assigned key={id} of={l} id={id} columns={columns} /> : <EmptyList text={t('dataParse.chooseText')} />}
      </Page>
    )
  }
  return AssignScreen
}
