import { Navigate } from 'react-router'

/** Redirects the former address of the archive. */
const ToArchive = () => <Navigate replace to="/maintenanceCenter/parts/archives" />
export default ToArchive
