import { Modal, Spin, Tree } from 'antd'
import { useState } from 'react'
import { type RightsNode, roleCalls } from '../../../contract/areas/roles.ts'
import { useCall, useCommand } from '../../resource/api.ts'
import { Failure } from '../../resource/Empty.tsx'
import { useWords } from '../../words/words.ts'

type Branch = { key: string; title: string; disableCheckbox: boolean; children: Branch[] }
const branch = (n: RightsNode): Branch => ({
  key: n.MenuEncoding,
  title: n.MenuName,
  disableCheckbox: !n.Grantable,
  children: n.MenuChildren.map(branch),
})
const checkedIn = (nodes: RightsNode[]): string[] =>
  nodes.flatMap((n) => [...(n.Checked ? [n.MenuEncoding] : []), ...checkedIn(n.MenuChildren)])

/** Menus and buttons of a role as a tree; what one does not hold oneself cannot be given. */
export const RightsDialog = ({
  role,
  readOnly,
  close,
}: {
  role: { Id: number; RoleName: string }
  readOnly: boolean
  close: () => void
}) => {
  const t = useWords()
  const { data, error, refetch } = useCall(roleCalls.menuList, { body: { RoleId: role.Id }, of: ['role'] })
  const [chosen, setChosen] = useState<string[]>()
  const save = useCommand(roleCalls.setMenus, ['role'], { meta: { quiet: true } })
  const nodes = data as RightsNode[] | undefined
  const value = chosen ?? (nodes ? checkedIn(nodes) : [])
  return (
    <Modal
      open
      title={t('role.rightsOf', { title: role.RoleName })}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: readOnly || chosen === undefined }}
      confirmLoading={save.isPending}
      onCancel={close}
      onOk={() => save.mutate({ body: { RoleId: role.Id, MenuCodes: value } }, { onSuccess: close })}
    >
      {(error ?? save.error) && <Failure fault={(error ?? save.error)!} retry={error ? () => refetch() : undefined} />}
      {nodes ? (
        <Tree
          checkable
          checkStrictly
          defaultExpandedKeys={nodes.map((n) => n.MenuEncoding)}
          selectable={false}
          disabled={readOnly}
          height={420}
          treeData={nodes.map(branch)}
          checkedKeys={value}
          onCheck={(keys) => setChosen((Array.isArray(keys) ? keys : keys.checked).map(String))}
        />
      ) : (
        !error && <Spin />
      )}
    </Modal>
  )
}
