import { Button, Radio, Spin } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { roleCalls } from '../contract.ts'
import type { PartProps } from './RoleDialog.tsx'

export const ProjectPart = ({ role, readOnly, close }: PartProps) => {
  const t = useWords()
  const { data, error, refetch } = useCall(roleCalls.projectIds, { query: { RoleId: role.Id }, of: ['role'] })
  const [chosen, setChosen] = useState<{ All: boolean; ProjectIds: number[] }>()
  const save = useCommand(roleCalls.setProjects, ['role', 'project'], { meta: { quiet: true } })
  const value = chosen ?? data
  if (!value) return error ? <Failure fault={error} retry={() => refetch()} /> : <Spin />
  return (
    <div className="stack">
      {save.error && <Failure fault={save.error} />}
      <Radio.Group
        disabled={readOnly}
        value={value.All}
        onChange={(e) => setChosen({ ...value, All: e.target.value })}
        options={[
          { value: true, label: t('role.allProjects') },
          { value: false, label: t('role.chosenProjects') },
        ]}
        vertical
      />
      {!value.All && (
        <RefsInput
          to={project}
          where={{ EnterpriseId: role.EnterpriseId }}
          value={value.ProjectIds}
          disabled={readOnly}
          onChange={(ProjectIds) => setChosen({ All: false, ProjectIds })}
          aria-label={t('role.projects')}
          placeholder={t('role.chooseProjects')}
        />
      )}
      <div>
        <Button
          type="primary"
          disabled={readOnly || chosen === undefined}
          loading={save.isPending}
          onClick={() => save.mutate({ body: { RoleId: role.Id, ProjectIds: value.All ? null : value.ProjectIds } }, { onSuccess: close })}
        >
          {t('save')}
        </Button>
      </div>
    </div>
  )
}
