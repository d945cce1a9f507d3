import { Navigate } from 'react-router'

/** The older address of the archive. */
const ToArchive = () => <Navigate replace to="/maintenanceCenter/parts/archives" />
export default ToArchive
