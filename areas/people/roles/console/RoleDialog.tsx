import { Tabs } from 'antd'
import { useMay } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { DataPart } from './DataPart.tsx'
import { MenuPart } from './MenuPart.tsx'
import { PeoplePart } from './PeoplePart.tsx'
import { ProjectPart } from './ProjectPart.tsx'

export type Role = { Id: number; EnterpriseId: number; RoleName: string; RouteRole: string | null }
export type PartProps = { role: Role; readOnly: boolean; close: () => void }

/** Permissions of a role (menus, buttons, projects, data) and its users. */
const RoleDialog = ({ row: role, close }: { row: Role; close: () => void }) => {
  const t = useWords()
  const readOnly = !useMay('m10403.authorise')
  const part = { role, readOnly, close }
  return (
    <SidePanel width={560} title={t('role.rightsOf', { title: role.RoleName })} onClose={close}>
      <Tabs
        items={[
          { key: 'menus', label: t('role.menus'), children: <MenuPart {...part} readOnly={readOnly || role.RouteRole === 'admin'} /> },
          { key: 'projects', label: t('role.projects'), children: <ProjectPart {...part} /> },
          { key: 'data', label: t('role.data'), children: <DataPart {...part} /> },
          { key: 'people', label: t('role.people'), children: <PeoplePart {...part} /> },
        ]}
      />
    </SidePanel>
  )
}
export default RoleDialog
