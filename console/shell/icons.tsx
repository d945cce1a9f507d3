import {
  AlertOutlined,
  ApartmentOutlined,
  BellOutlined,
  BookOutlined,
  CloudOutlined,
  DashboardOutlined,
  DatabaseOutlined,
  FileOutlined,
  GlobalOutlined,
  HomeOutlined,
  LineChartOutlined,
  LinkOutlined,
  ProjectOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
  TeamOutlined,
  ToolOutlined,
  VideoCameraOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { menuIcons } from '../../contract/menu-entries.ts'

/** Menu icons by their names in the contract. */
export const icons: Record<(typeof menuIcons)[number], ReactNode> = {
  home: <HomeOutlined />,
  project: <ProjectOutlined />,
  alert: <AlertOutlined />,
  lineChart: <LineChartOutlined />,
  setting: <SettingOutlined />,
  gateway: <ApartmentOutlined />,
  team: <TeamOutlined />,
  cloud: <CloudOutlined />,
  dashboard: <DashboardOutlined />,
  tool: <ToolOutlined />,
  bell: <BellOutlined />,
  link: <LinkOutlined />,
  database: <DatabaseOutlined />,
  video: <VideoCameraOutlined />,
  file: <FileOutlined />,
  global: <GlobalOutlined />,
  book: <BookOutlined />,
  question: <QuestionCircleOutlined />,
}
