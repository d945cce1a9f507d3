import { Alert, Button, Spin } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { checkedIn, RightsTree } from '../../menus/console/RightsTree.tsx'
import { type RightsNode, roleCalls } from '../contract.ts'
import type { PartProps } from './RoleDialog.tsx'

export const MenuPart = ({ role, readOnly, close }: PartProps) => {
  const t = useWords()
  const { data, error, refetch } = useCall(roleCalls.menuList, { body: { RoleId: role.Id }, of: ['role'] })
  const [chosen, setChosen] = useState<string[]>()
  const save = useCommand(roleCalls.setMenus, ['role'], { meta: { quiet: true } })
  const nodes = data as RightsNode[] | undefined
  const value = chosen ?? (nodes ? checkedIn(nodes) : [])
  return (
    <div className="stack">
      {role.RouteRole === 'admin' && <Alert type="info" showIcon title={t('role.adminHoldsAll')} />}
      {(error ?? save.error) && <Failure fault={(error ?? save.error)!} retry={error ? () => refetch() : undefined} />}
      {nodes ? <RightsTree nodes={nodes} value={value} onChange={setChosen} disabled={readOnly} /> : !error && <Spin />}
      <div>
        <Button
          type="primary"
          disabled={readOnly || chosen === undefined}
          loading={save.isPending}
          onClick={() => save.mutate({ body: { RoleId: role.Id, MenuCodes: value } }, { onSuccess: close })}
        >
          {t('save')}
        </Button>
      </div>
    </div>
  )
}
