import { ApartmentOutlined } from '@ant-design/icons'
import { project } from '../../../contract/areas/projects.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'

const ProjectList = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m10101')}>
      <ResourceList
        of={project}
        columns={['ProjectName', 'ProjectNo', 'RegionId', 'BelongOrganId', 'Address', 'Remark']}
        filters={['RegionId']}
        link={(row) => `/projectManagement/gatewayManagement?ProjectId=${row.Id}`}
        actions={(row) => [
          {
            key: 'gateways',
            label: t('project.gateways'),
            icon: <ApartmentOutlined />,
            to: `/projectManagement/gatewayManagement?ProjectId=${row.Id}`,
          },
        ]}
      />
    </Page>
  )
}
export default ProjectList
