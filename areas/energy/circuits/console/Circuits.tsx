import { BulbOutlined, PlusOutlined } from '@ant-design/icons'
import { App, Button, Skeleton, Space, Table, type TableColumnsType } from 'antd'
import { useMemo, useState } from 'react'
import { useCommand, useRemove, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { arrange } from '../../../../console/kernel/list/arrange.ts'
import { readState } from '../../../../console/kernel/list/listState.ts'
import { SearchText } from '../../../../console/kernel/list/SearchText.tsx'
import { SheetMenu } from '../../../../console/kernel/list/SheetMenu.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { MoveDialog } from '../../../../console/kernel/tree/MoveDialog.tsx'
import { asTree, matching, type TreeNode } from '../../../../console/kernel/tree/tree.ts'
import { UsedBy } from '../../../../console/kernel/tree/UsedBy.tsx'
import { useLatest } from '../../../../console/live/points.ts'
import type { Fault } from '../../../../console/session/request.ts'
import { useMayDo } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { none, numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { treeCalls } from '../../../../contract/trees.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { energyInfo, fromMeter } from '../contract.ts'
import { CircuitForm, type CircuitRow } from './CircuitForm.tsx'
import { CircuitPanel } from './CircuitPanel.tsx'
import { Factors } from './Factors.tsx'
import { Proposal } from './Proposal.tsx'
import './circuits.css'

const everything = readState(new URLSearchParams(), [])
const columns = arrange(
  energyInfo,
  ['EnergyName', 'EnergyCode', 'ProjectId', 'EnergyType', 'Unit', 'ParentId', 'Source', 'Formula', 'ParaId', 'Multiplier'],
  [],
)
const calls = treeCalls(energyInfo)
type Open = { form?: { row?: CircuitRow; below?: CircuitRow }; moving?: CircuitRow; tool?: 'proposal' | 'factors' }

/** What the meter of a circuit shows now. */
const Present = ({ row }: { row: CircuitRow }) => {
  const latest = useLatest(row.ParaId ?? undefined)
  const value = latest?.Value
  return <span className="figures">{value === null || value === undefined ? none : numberText(value, 0, language(), 3)}</span>
}

const useRemoval = (done: () => void) => {
  const t = useWords()
  const confirm = useConfirm()
  const { modal } = App.useApp()
  const remove = useRemove(energyInfo)
  return (row: CircuitRow) =>
    confirm({
      title: t('list.removeOne', { title: row.EnergyName }),
      content: t('remove.energyInfo'),
      run: () =>
        remove.mutateAsync([row.Id]).then(done, (fault: Fault) => {
          if (!fault.details.UsedBy) return
          const shown = modal.error({
            title: t('tree.keeps', { title: row.EnergyName }),
            content: <UsedBy fault={fault} close={() => shown.destroy()} />,
          })
        }),
    })
}

const useColumns = (): TableColumnsType<TreeNode> => {
  const t = useWords()
  const phone = usePhone()
  const of = (node: TreeNode) => node.row as unknown as CircuitRow
  const cell = (name: 'EnergyCode' | 'EnergyType' | 'Unit' | 'Source', render: (row: CircuitRow) => string) => ({
    ...{ key: name, title: t(`energyInfo.${name}`), render: (_: unknown, node: TreeNode) => render(of(node)) },
  })
  const name = { key: 'EnergyName', title: t('energyInfo.EnergyName'), render: (_: unknown, node: TreeNode) => node.title }
  const present = {
    key: 'present',
    title: t('circuit.present'),
    align: 'right' as const,
    render: (_: unknown, node: TreeNode) => (of(node).Source === fromMeter ? <Present row={of(node)} /> : none),
  }
  if (phone) return [name, present]
  return [
    name,
    cell('EnergyCode', (row) => row.EnergyCode),
    cell('EnergyType', (row) => t(`energyInfo.EnergyType.${row.EnergyType}`)),
    cell('Source', (row) => (row.Source === fromMeter && row.ParaName ? String(row.ParaName) : t(`energyInfo.Source.${row.Source}`))),
    present,
    cell('Unit', (row) => row.Unit ?? ''),
  ]
}

type OfProject = { id: number; choice: React.ReactNode }
/** The circuits of a project as a tree, and the chosen one beside it. */
const OfProject = ({ id, choice }: OfProject) => {
  const t = useWords()
  const may = useMayDo()
  const [address, put] = useAddress()
  const { data, error, refetch } = useRows(energyInfo, { PageIndex: 1, PageSize: 9999, ProjectId: id })
  const rows = data?.Items as CircuitRow[] | undefined
  const nodes = useMemo(() => asTree(rows ?? [], 'ParentId', 'EnergyName'), [rows])
  const [text, setText] = useState('')
  const shown = useMemo(() => matching(nodes, text), [nodes, text])
  const [{ form, moving, tool }, setOpen] = useState<Open>(address.has('propose') ? { tool: 'proposal' } : {})
  const close = () => {
    if (address.has('propose')) put({ propose: undefined })
    setOpen({})
  }
  const choose = (node: number | undefined) => put({ node })
  const chosen = rows?.find((row) => row.Id === Number(address.get('node')))
  const remove = useRemoval(() => choose(undefined))
  const move = useCommand(calls.move, [energyInfo.name])
  const [mayAdd, mayEdit, mayRemove] = [may(energyInfo, 'add'), may(energyInfo, 'edit'), may(energyInfo, 'remove')]
  const shownColumns = useColumns()
  const verbs: [string, boolean, (row: CircuitRow) => void][] = [
    ['button.edit', mayEdit, (row) => setOpen({ form: { row } })],
    ['circuit.addBelow', mayAdd, (below) => setOpen({ form: { below } })],
    ['tree.move', mayEdit, (row) => setOpen({ moving: row })],
    ['button.remove', mayRemove, remove],
  ]
  return (
    <>
      <search className="search-bar">
        {choice}
        <SearchText maxLength={50} value={text} onChange={(e) => setText(e.target.value)} />
        <span className="search-actions">
          <SheetMenu of={energyInfo} arrangement={{ state: everything, fixed: { ProjectId: id }, all: columns, columns }} />
          <Button onClick={() => setOpen({ tool: 'factors' })}>{t('circuit.factors')}</Button>
          {mayAdd && (
            <Button icon={<BulbOutlined />} onClick={() => setOpen({ tool: 'proposal' })}>
              {t('circuit.propose')}
            </Button>
          )}
          {mayAdd && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ form: {} })}>
              {t('circuit.add')}
            </Button>
          )}
        </span>
      </search>
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !rows ? (
        <Skeleton active />
      ) : !shown.length ? (
        <EmptyList
          text={text ? t('list.nothingFound') : t('empty.energyInfo')}
          action={
            text
              ? { label: t('list.clear'), run: () => setText('') }
              : mayAdd && { label: t('circuit.propose'), run: () => setOpen({ tool: 'proposal' }) }
          }
        />
      ) : (
        <Table<TreeNode>
          key={`${id} ${text}`}
          size="small"
          rowKey="key"
          pagination={false}
          dataSource={shown.map(function plain(node): TreeNode {
            return node.children.length ? { ...node, children: node.children.map(plain) } : ({ ...node, children: undefined } as never)
          })}
          columns={shownColumns}
          expandable={{ defaultExpandAllRows: true }}
          rowClassName={(node) => (node.key === chosen?.Id ? 'circuit-row ant-table-row-selected' : 'circuit-row')}
          onRow={(node) => ({
            tabIndex: 0,
            onClick: () => choose(node.key),
            onKeyDown: (event) => event.key === 'Enter' && choose(node.key),
          })}
        />
      )}
      {chosen && (
        <SidePanel width={520} title={chosen.EnergyName} onClose={() => choose(undefined)} mask={{ closable: true }}>
          <div className="stack">
            <Space wrap>
              {verbs.map(
                ([key, allowed, run]) =>
                  allowed && (
                    <Button key={key} size="small" danger={key === 'button.remove'} onClick={() => run(chosen)}>
                      {t(key)}
                    </Button>
                  ),
              )}
            </Space>
            <CircuitPanel row={chosen} />
          </div>
        </SidePanel>
      )}
      {moving && (
        <MoveDialog
          title={moving.EnergyName}
          nodes={nodes}
          of={moving as never}
          parent="ParentId"
          move={(ParentId) => move.mutate({ body: { Id: moving.Id, ParentId } })}
          close={close}
        />
      )}
      {form && (
        <CircuitForm project={id} {...form} last={Math.max(0, ...(rows ?? []).map(({ Sort }) => Sort))} done={choose} close={close} />
      )}
      {tool === 'proposal' && <Proposal project={id} nodes={nodes} close={close} />}
      {tool === 'factors' && <Factors close={close} />}
    </>
  )
}

const Circuits = () => {
  const t = useWords()
  const [address, put] = useAddress()
  const { data } = useRows(project, { PageIndex: 1, PageSize: 1 })
  const id = Number(address.get('ProjectId')) || data?.Items[0]?.Id
  const choice = (
    <span className="search-filter">
      <RefInput
        to={project}
        value={id ?? null}
        allowClear={false}
        aria-label={t('energyInfo.ProjectId')}
        onChange={(next) => put({ ProjectId: next, node: undefined })}
      />
    </span>
  )
  return (
    <Page title={t('menu.m10702')}>
      {id ? <OfProject key={id} id={id} choice={choice} /> : data && <EmptyList text={t('empty.project')} />}
    </Page>
  )
}
export default Circuits
