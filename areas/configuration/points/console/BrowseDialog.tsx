import { Alert, App, Modal, Skeleton, Tree } from 'antd'
import { useEffect, useState } from 'react'
import { useCommand, useRows } from '../../../../console/kernel/api.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Channel } from '../../channels/console/index.ts'
import { type Node, protocolCalls } from '../../channels/contract.ts'
import { point, pointCalls } from '../contract.ts'

type Branch = { key: string; title: string; isLeaf: boolean; checkable: boolean; disableCheckbox: boolean; node: Node; children?: Branch[] }
const mostPoints = 1000

/** Adds the children of a node to the tree. */
const withChildren = (branches: readonly Branch[], key: string, children: Branch[]): Branch[] =>
  branches.map((b) => (b.key === key ? { ...b, children } : b.children ? { ...b, children: withChildren(b.children, key, children) } : b))
const flat = (branches: readonly Branch[]): Branch[] => branches.flatMap((b) => [b, ...flat(b.children ?? [])])

/** A name that no other point of the device has. */
const freeName = (name: string, taken: Set<string>) => {
  const plain = name.slice(0, 45)
  let free = plain
  for (let n = 2; taken.has(free); n++) free = `${plain} ${n}`
  taken.add(free)
  return free
}

/** Browses a device through its gateway. Selected nodes become points. */
const BrowseDialog = ({ deviceId, channel, close }: { deviceId: number; channel: Channel; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [tree, setTree] = useState<Branch[]>()
  const [ticked, tick] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string>()
  const { data: points } = useRows(point, { PageIndex: 1, PageSize: 1000, DeviceId: deviceId })
  const add = useCommand(pointCalls.batchAdd, [point.name], { meta: { quiet: true } })
  const known = new Set(points?.Items.map(({ Address }) => String(Address)))

  const branchOf = (above: string) => (node: Node) => ({
    ...{ key: `${above}/${node.Id}`, node, isLeaf: node.HasMore === 0, checkable: node.Address !== undefined },
    title: `${node.Name}${node.Unit ? ` (${node.Unit})` : ''}${node.Address ? ` · ${node.Address}` : ''}`,
    disableCheckbox: node.Address !== undefined && known.has(node.Address),
  })
  const look = async (above: string, Below?: string): Promise<Branch[]> => {
    const body = { ...channel, ...(Below === undefined ? {} : { Below }) }
    const answer = await invoke(protocolCalls.browse, { body }).catch((error: Error) => ({
      Code: -1,
      Msg: error.message,
      Nodes: [],
      Total: 0,
    }))
    setProblem(
      answer.Code === 0
        ? answer.Total > answer.Nodes.length
          ? t('browse.more', { count: answer.Nodes.length, total: answer.Total })
          : undefined
        : answer.Msg,
    )
    return answer.Nodes.map(branchOf(above))
  }
  const isKnown = points !== undefined
  useEffect(() => {
    if (!isKnown) return
    let isOpen = true
    void look('').then((found) => isOpen && setTree(found))
    return () => {
      isOpen = false
    }
  }, [isKnown])

  const chosen = flat(tree ?? []).filter(({ key, node }) => node.Address !== undefined && ticked.includes(key))
  const submit = () => {
    const taken = new Set(points?.Items.map(({ ParaName }) => String(ParaName)))
    const Items = chosen.map(({ node }) => ({
      ParaName: freeName(node.Name, taken),
      Address: node.Address!,
      ParaUnitName: node.Unit || null,
      ReadWriteType: (node.IsWritable ? 1 : 0) as 0 | 1,
    }))
    add.mutate(
      { body: { DeviceId: deviceId, Items } },
      {
        onSuccess: ({ Added }) => {
          message.success(t('browse.added', { count: Added }))
          close()
        },
      },
    )
  }
  const fault = add.error?.message
  return (
    <Modal
      open
      width={720}
      title={t('browse.title')}
      onCancel={close}
      onOk={submit}
      okText={t('browse.add', { count: chosen.length })}
      okButtonProps={{ disabled: !chosen.length || chosen.length > mostPoints, loading: add.isPending }}
      cancelText={t('close')}
    >
      <div className="stack">
        <p className="soft">{t('browse.text')}</p>
        {(problem ?? fault) && <Alert type={fault ? 'error' : 'warning'} showIcon title={fault ?? problem} />}
        {tree ? (
          <Tree<Branch>
            checkable
            checkStrictly
            selectable={false}
            virtual
            height={420}
            treeData={tree}
            checkedKeys={[...ticked]}
            onCheck={(keys) => tick((Array.isArray(keys) ? keys : keys.checked).map(String))}
            loadData={async (branch) => {
              const children = await look(branch.key, branch.node.Id)
              setTree((before) => withChildren(before ?? [], branch.key, children))
            }}
          />
        ) : (
          <Skeleton active />
        )}
      </div>
    </Modal>
  )
}
export default BrowseDialog
