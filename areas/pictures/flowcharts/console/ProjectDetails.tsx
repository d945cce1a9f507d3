import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { request } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { platformType } from '../../../../console/shell/sizes.ts'
import { useWords } from '../../../../console/words/words.ts'
import { flowchartCalls, type Published } from '../contract.ts'
import { addressOf, chartRoutes, type DetailRoute, type Details, defaultRoutes, firstAddress } from './projectDetails.ts'

/** The published pictures of a project, for this kind of device. */
const usePublished = (project: number) =>
  useQuery<Published[]>({
    queryKey: [['flowchart'], 'published', project],
    queryFn: () =>
      request('GET', `${flowchartCalls.published.path}?ProjectId=${project}&PlatformType=${platformType(navigator.userAgent)}`),
    enabled: project > 0,
  })

/** The project in the URL. */
export const useDetails = (): Details => {
  const [params] = useSearchParams()
  return { projectId: Number(params.get('projectId') ?? 0), projectName: params.get('projectName') ?? '' }
}

type SelectProps = { of: Details; isHere: (route: DetailRoute) => boolean }
/** Links to the other pictures of a project, and to its charts. */
export const DetailsSelect = ({ of, isHere }: SelectProps) => {
  const t = useWords()
  const navigate = useNavigate()
  const { data: published = [] } = usePublished(of.projectId)
  const charts = useMay('m10301') ? defaultRoutes(of) : []
  const routes = [...chartRoutes(published, of), ...charts]
  const here = routes.find(isHere)
  if (routes.length < 2 && here) return null
  return (
    <Select
      aria-label={t('pictures.choose')}
      value={here && addressOf(here)}
      options={routes.map((route) => ({ value: addressOf(route), label: route.title || t('pictures.charts') }))}
      popupMatchSelectWidth={false}
      onChange={(to) => navigate(to)}
    />
  )
}

/** Redirects to the first picture of a project; without one, or if the query fails, to a screen that every project has. */
const ProjectDetails = () => {
  const of = useDetails()
  const { data, isError } = usePublished(of.projectId)
  if (!of.projectId) return <Navigate replace to="/projectManagement/pictures" />
  if (isError) return <Navigate replace to={addressOf(defaultRoutes(of)[0]!)} />
  return data ? <Navigate replace to={firstAddress(chartRoutes(data, of), of)} /> : null
}
export default ProjectDetails
