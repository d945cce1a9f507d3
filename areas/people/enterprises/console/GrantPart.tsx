import { App, Button, Form, Radio, Select, Spin } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { checkedIn, RightsTree } from '../../menus/console/RightsTree.tsx'
import type { RightsNode } from '../../roles/contract.ts'
import { enterpriseCalls } from '../contract.ts'
import { GrantFacts } from './GrantFacts.tsx'

/** The version of a tenant, or its individual menus. */
const GrantPart = ({ row: { Id: id } }: { row: { Id: number } }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayEdit = useMay('m10404.edit')
  const query = { EnterpriseId: id }
  const grant = useCall(enterpriseCalls.grant, { query, of: ['enterprise', 'version', 'gateway', 'user', 'point'] })
  const tree = useCall(enterpriseCalls.menus, { query, of: ['enterprise', 'version'] })
  const versions = useCall(enterpriseCalls.versions, { of: ['version', 'enterprise'] })
  const [chosen, setChosen] = useState<{ VersionId?: number | null; own?: boolean; codes?: string[] }>({})
  const save = useCommand(enterpriseCalls.authorise, ['enterprise', 'version'], { meta: { quiet: true } })
  const fault = grant.error ?? tree.error ?? save.error
  if (!grant.data || !tree.data) return fault ? <Failure fault={fault} /> : <Spin />
  const nodes = tree.data as unknown as RightsNode[]
  const VersionId = chosen.VersionId === undefined ? grant.data.VersionId : chosen.VersionId
  const own = chosen.own ?? grant.data.OwnMenus
  const codes = chosen.codes ?? checkedIn(nodes)
  const submit = () =>
    save.mutate(
      { body: { EnterpriseId: id, VersionId, MenuCodes: own ? codes : null } },
      {
        onSuccess: () => {
          setChosen({})
          message.success(t('tenant.saved'))
        },
      },
    )
  return (
    <div className="stack">
      {fault && <Failure fault={fault} />}
      <GrantFacts grant={grant.data} />
      <Form layout="vertical" className="narrow" disabled={!mayEdit}>
        <Form.Item label={t('enterprise.VersionId')} htmlFor="grant-version">
          <Select
            id="grant-version"
            allowClear
            value={VersionId}
            placeholder={t('tenant.noVersion')}
            options={versions.data?.map((v) => ({ value: v.Id, label: v.Name }))}
            onChange={(next) => setChosen({ ...chosen, VersionId: next ?? null })}
          />
        </Form.Item>
        <Radio.Group
          value={own}
          onChange={(e) => setChosen({ ...chosen, own: e.target.value })}
          options={[
            { value: false, label: t('tenant.versionMenus') },
            { value: true, label: t('tenant.ownMenus') },
          ]}
          vertical
        />
        {own && <RightsTree nodes={nodes} value={codes} onChange={(next) => setChosen({ ...chosen, codes: next })} disabled={!mayEdit} />}
      </Form>
      {mayEdit && (
        <div>
          <Button type="primary" disabled={!Object.keys(chosen).length} loading={save.isPending} onClick={submit}>
            {t('save')}
          </Button>
        </div>
      )}
    </div>
  )
}
export default GrantPart
