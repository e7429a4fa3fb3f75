export type TaskState = 'created' | 'starting' | 'running' | 'completed' | 'failed' | 'killed' | 'lost';

export type Todo = {
  id: string;
  title: string;
  status: 'pending' | 'in-progress' | 'done';
};
